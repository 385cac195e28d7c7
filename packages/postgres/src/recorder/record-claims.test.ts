import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Claim } from '@svc/enforcement/facts/claims.ts';
import type { ActionRecord, DecisionRecord } from '@svc/enforcement/ports/ports.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { eventRows } from '@svc/testing/records/event-rows.ts';
import type pg from 'pg';
import { buildGiveBack } from './ask-claims.ts';
import { openPreparedConnection, type PreparedConnection } from './prepared-connection.ts';
import { newRecordClaims } from './record-claims.ts';

let database: FreshDatabase;
let owner: pg.Client;
const connections: PreparedConnection[] = [];

const addTenant = async (tenant: string): Promise<void> => {
  for (const text of [
    'insert into organizations (id, name) values ($1, $1)',
    "insert into workspaces (organization_id, id, name, slug) values ($1, 'wsp_1', 'w', 'w')",
    "insert into environments (organization_id, id, workspace_id, name, type) values ($1, 'env_1', 'wsp_1', 'e', 'STAGING')",
    "insert into agents (organization_id, id, workspace_id, environment_id, name) values ($1, 'agt_of_' || $1, 'wsp_1', 'env_1', 'a')",
  ]) {
    await owner.query(text, [tenant]);
  }
};

const connection = () => {
  const login = testLogin('svc_recorder');
  const opened = openPreparedConnection({ url: database.url, role: 'svc_recorder', ...login, connectionsMax: 1, timeoutMs: 10_000 });
  connections.push(opened);
  return newRecordClaims(opened, eventRows, 60_000);
};

before(async () => {
  database = await createFreshDatabase();
  owner = await database.client();
  await addTenant('org_1');
  await addTenant('org_2');
});
after(async () => {
  for (const each of connections) await each.close();
  await owner.end();
  await database.drop();
});

let decisions = 0;

const claim = (counter: string, overrides: Partial<Claim> = {}): Claim => ({
  counter,
  window_seconds: 60,
  max_calls: 10,
  max_amount: null,
  currency: null,
  amount: 0,
  code: 'VELOCITY_LIMIT_EXCEEDED',
  label: 'Too many.',
  ...overrides,
});

const decision = (claims: readonly Claim[], overrides: Partial<ActionRecord> = {}): DecisionRecord => {
  decisions += 1;
  const organization_id = overrides.organization_id ?? 'org_1';
  const id = `act_${decisions}`;
  const action: ActionRecord = {
    organization_id,
    id,
    environment_id: 'env_1',
    workspace_id: 'wsp_1',
    agent_id: `agt_of_${organization_id}`,
    agent_name: 'Agent',
    tool_id: 'tool_1',
    tool: 'refund.create',
    principal_type: 'AGENT',
    principal_id: `agt_of_${organization_id}`,
    principal_name: null,
    decision: 'LIMIT',
    status: 'ALLOWED',
    mode: 'ENFORCE',
    code: null,
    reason: 'Within the limit.',
    amount: null,
    currency: null,
    destination: null,
    parameters_json: '{}',
    explanation_json: '{}',
    execution_json: null,
    approval_id: null,
    request_id: 'req_1',
    trace_id: 'f'.repeat(32),
    idempotency_key: null,
    idempotency_hash: null,
    idempotency_hash_unkeyed: null,
    environment_epoch: 1,
    agent_epoch: 1,
    created_at: '2030-01-02T03:04:05.678Z',
    completed_at: null,
    declaration_version: 3,
    request_hmac: '0a'.repeat(32),
    digest_salt: '0b'.repeat(16),
    digest_revision: 0,
    ...overrides,
  };
  return {
    action,
    events: [{ id: `evt_${id}`, type: 'action.limited', about: 'action', data: { id } }],
    opens: null,
    consumes: null,
    grows: null,
    callTimeoutMs: null,
    claims,
  };
};

const keyed = (claims: readonly Claim[], key: string): DecisionRecord =>
  decision(claims, { idempotency_key: key, idempotency_hash: '0'.repeat(64) });

const outcomes = (answers: readonly { readonly outcome: string }[]): string[] => answers.map(({ outcome }) => outcome);

const isStored = async ({ action }: DecisionRecord): Promise<boolean> => {
  const { rows } = await owner.query(
    'select (select count(*)::int from actions where id = $1) as actions, (select count(*)::int from audit_events where subject_id = $1) as events',
    [action.id],
  );
  assert.equal(rows[0].actions, rows[0].events);
  return rows[0].actions === 1;
};

const readTotal = async (counter: string): Promise<string | undefined> =>
  (await owner.query('select total::text from counters where counter = $1', [counter])).rows[0]?.total;

test('writes as many of one batch as there is capacity, each with its event, and reports the missing claim to the others', async () => {
  const record = connection();
  const batch = Array.from({ length: 5 }, () => decision([claim('limit:a', { max_calls: 3 })]));
  const answers = await record(batch);
  assert.deepEqual(outcomes(answers).toSorted(), ['claim_lost', 'claim_lost', 'recorded', 'recorded', 'recorded']);
  for (const [index, one] of batch.entries()) assert.equal(await isStored(one), answers[index]?.outcome === 'recorded');
  assert.equal(await readTotal('limit:a#calls'), '3');
  const lost = answers.find((answer) => answer.outcome === 'claim_lost');
  assert.ok(lost && lost.outcome === 'claim_lost');
  assert.equal(lost.lost.bound, 'max_calls');
  assert.equal(lost.lost.retry_after_seconds, 60);
});

test('takes both claims of a decision or none', async () => {
  const record = connection();
  assert.deepEqual(outcomes(await record([decision([claim('limit:narrow', { max_calls: 1 })])])), ['recorded']);
  const both = decision([claim('limit:wide'), claim('limit:narrow', { max_calls: 1 })]);
  assert.deepEqual(outcomes(await record([both])), ['claim_lost']);
  assert.equal(await readTotal('limit:wide#calls'), '0');
  assert.equal(await isStored(both), false);
});

test('counts calls and amounts of one claim separately, and each currency', async () => {
  const record = connection();
  const spends = (amount: number, currency = 'EUR') =>
    decision([claim('delegation:d', { max_calls: 3, max_amount: 100, currency, amount })]);
  assert.deepEqual(outcomes(await record([spends(60)])), ['recorded']);
  const answers = await record([spends(41)]);
  assert.equal(answers[0]?.outcome === 'claim_lost' && answers[0].lost.bound, 'max_amount');
  assert.deepEqual(outcomes(await record([spends(40)])), ['recorded']);
  assert.deepEqual(outcomes(await record([spends(100, 'USD')])), ['recorded']);
  const full = await record([spends(0, 'USD')]);
  assert.equal(full[0]?.outcome === 'claim_lost' && full[0].lost.bound, 'max_calls');
});

test('takes once for a rule with two bindings, by the smaller bound', async () => {
  const record = connection();
  const twice = () => decision([claim('limit:bound', { max_calls: 2 }), claim('limit:bound', { max_calls: 5 })]);
  assert.deepEqual(outcomes([...(await record([twice()])), ...(await record([twice()])), ...(await record([twice()]))]), [
    'recorded',
    'recorded',
    'claim_lost',
  ]);
  assert.equal(await readTotal('limit:bound#calls'), '2');
});

test('never frees a ceiling without a window', async () => {
  const record = connection();
  const once = () => decision([claim('delegation:once', { window_seconds: null, max_calls: 1 })]);
  assert.deepEqual(outcomes(await record([once()])), ['recorded']);
  const answers = await record([once()]);
  assert.ok(answers[0]?.outcome === 'claim_lost');
  assert.deepEqual([answers[0].lost.frees_at, answers[0].lost.retry_after_seconds], [null, null]);
  assert.equal((await owner.query("select from counter_uses where counter like 'delegation:once%'")).rowCount, 0);
});

test('takes nothing for an outdated state', async () => {
  const record = connection();
  const moved = decision([claim('limit:moved')], { agent_epoch: 7 });
  assert.deepEqual(outcomes(await record([moved, decision([claim('limit:moved')])])), ['moved', 'recorded']);
  assert.equal(await readTotal('limit:moved#calls'), '1');
  assert.equal(await isStored(moved), false);
});

test('keeps a counter within one tenant, even if others use its name', async () => {
  const record = connection();
  const mine = decision([claim('limit:same', { max_calls: 1 })]);
  const theirs = decision([claim('limit:same', { max_calls: 1 })], { organization_id: 'org_2' });
  assert.deepEqual(outcomes(await record([mine, theirs])), ['recorded', 'recorded']);
});

test('takes one use per key, in one batch or in two concurrent ones', async () => {
  const [record, recordOther] = [connection(), connection()];
  assert.deepEqual(outcomes(await record([keyed([claim('limit:keys')], 'k1')])), ['recorded']);
  assert.deepEqual(outcomes(await record([keyed([claim('limit:keys')], 'k1')])), ['key_used']);
  await assert.rejects(record([keyed([claim('limit:keys')], 'k2'), keyed([claim('limit:keys')], 'k2')]), /duplicate key/);
  assert.equal(await readTotal('limit:keys#calls'), '1', 'what cannot be told apart in one statement is tried one by one');
  for (let round = 0; round < 30; round += 1) {
    const [one, other] = [`limit:one-${round}`, `limit:other-${round}`];
    const answers = await Promise.all([
      record([keyed([claim(one)], `race-${round}`)]),
      recordOther([keyed([claim(other)], `race-${round}`)]),
    ]);
    assert.deepEqual(outcomes(answers.flat()).toSorted(), ['key_used', 'recorded']);
    const taken = [await readTotal(`${one}#calls`), await readTotal(`${other}#calls`)].map((total) => Number(total ?? 0));
    assert.deepEqual(taken.toSorted(), [0, 1]);
  }
});

test('never deadlocks batches with the same counters in other orders, and never takes too much', async () => {
  const [record, recordOther] = [connection(), connection()];
  for (let round = 0; round < 30; round += 1) {
    const names = Array.from({ length: 8 }, (_, index) => `limit:${round}-${index}`);
    const batch = (counters: readonly string[]) =>
      counters.map((counter) => decision([claim(counter, { max_calls: 1 }), claim(`limit:${round}-all`, { max_calls: 100 })]));
    const answers = await Promise.all([record(batch(names)), recordOther(batch(names.toReversed()))]);
    assert.equal(outcomes(answers.flat()).filter((outcome) => outcome === 'recorded').length, 8);
  }
});

test('may delete uses outside of all windows without a change of any result', async () => {
  const record = connection();
  const one = () => decision([claim('limit:old', { max_calls: 2, max_amount: 100, currency: 'EUR', amount: 50 })]);
  assert.deepEqual(outcomes(await record([one(), one()])), ['recorded', 'recorded']);
  await owner.query("update counter_uses set used_at = used_at - interval '61 seconds' where counter like 'limit:old%'");
  await owner.query("delete from counter_uses where counter like 'limit:old%' and total <= 50");
  assert.deepEqual(outcomes(await record([one(), one(), one()])).toSorted(), ['claim_lost', 'recorded', 'recorded']);
  await owner.query("delete from counter_uses where counter like 'limit:old%' and used_at < now() - interval '60 seconds'");
  assert.deepEqual(outcomes(await record([one()])), ['claim_lost']);
});

test('admits exactly what a list of all uses would admit, in any order', async () => {
  const record = connection();
  // Time moves by an even number of hours and windows are odd, so that the duration of the test itself never matters at an edge.
  const HOUR = 3_600;
  const WINDOW = 7 * HOUR;
  const MAX = 100;
  let seed = 42;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  let now = 0;
  let uses: { at: number; amount: number }[] = [];
  for (let step = 0; step < 400; step += 1) {
    const seconds = 2 * HOUR * Math.max(0, random(4) - 2);
    now += seconds;
    if (seconds > 0) {
      const shift = 'used_at = used_at - make_interval(secs => $1)';
      await owner.query(`update counter_uses set ${shift} where counter like 'limit:model#%'`, [seconds]);
    }
    if (random(20) === 0) {
      await owner.query("delete from counter_uses where counter like 'limit:model#%' and used_at < clock_timestamp() - interval '7 hours'");
    }
    const amount = random(3) === 0 ? 0 : random(60);
    const inWindow = uses.filter(({ at }) => now - at < WINDOW);
    const sum = inWindow.reduce((total, use) => total + use.amount, 0);
    const fits = inWindow.length < 6 && (amount === 0 || sum + amount <= MAX);
    const one = claim('limit:model', { window_seconds: WINDOW, max_calls: 6, max_amount: MAX, currency: 'EUR', amount });
    const [answer] = await record([decision([one])]);
    assert.equal(answer?.outcome === 'recorded', fits, `step ${step}`);
    if (answer?.outcome !== 'recorded') {
      assert.ok(answer?.outcome === 'claim_lost');
      const free = (wanted: number): boolean => {
        const later = uses.filter(({ at }) => now + wanted - at < WINDOW);
        return later.length < 6 && (amount === 0 || later.reduce((sum, use) => sum + use.amount, 0) + amount <= MAX);
      };
      const told = answer.lost.retry_after_seconds ?? Number.NaN;
      assert.ok(free(told + HOUR / 2) && !free(told - HOUR), `step ${step}: told to come back in ${told} s`);
      continue;
    }
    uses = [...inWindow, { at: now, amount }];
  }
});

const giveBack = async ({ action, claims }: DecisionRecord): Promise<number> => {
  const client = await database.client();
  await client.query("select set_config('svc.organization_id', $1, false)", [action.organization_id]);
  const { rows } = await client.query('select svc_give_back_claims($1, $2) as given', [action.id, buildGiveBack(claims)]);
  await client.end();
  return rows[0].given;
};

test("gives back a decision's uses once, and later uses still free at their own times", async () => {
  const record = connection();
  const amounts = { max_calls: 3, max_amount: 100, currency: 'USD' };
  const made = [10, 20, 30].map((amount) => decision([claim('limit:back', { ...amounts, amount })]));
  for (const one of made) assert.deepEqual(outcomes(await record([one])), ['recorded']);
  const [, second] = made as [DecisionRecord, DecisionRecord, DecisionRecord];
  const readUses = async () => {
    const { rows } = await owner.query(
      "select counter, total::int, amount::int, action_id from counter_uses where counter like 'limit:back#%' order by counter, total",
    );
    return rows.map(({ counter, total, amount, action_id }) => [counter.slice('limit:back#'.length), total, amount, action_id]);
  };
  assert.deepEqual([await giveBack(second), await giveBack(second)], [2, 0]);
  const [first, third] = [made[0]?.action.id, made[2]?.action.id];
  assert.deepEqual(await readUses(), [
    ['USD', 10, 10, first],
    ['USD', 40, 30, third],
    ['calls', 1, 1, first],
    ['calls', 2, 1, third],
  ]);
  assert.deepEqual([await readTotal('limit:back#calls'), await readTotal('limit:back#USD')], ['2', '40']);
  const next = [60, 1].map((amount) => decision([claim('limit:back', { ...amounts, amount })]));
  assert.deepEqual(
    [outcomes(await record([next[0] as DecisionRecord])), outcomes(await record([next[1] as DecisionRecord]))],
    [['recorded'], ['claim_lost']],
  );
});

test('gives back to a ceiling without a window what was taken, and nothing that a later windowed use needs', async () => {
  const record = connection();
  const whole = { window_seconds: null, max_calls: 1 };
  const [one, two] = [decision([claim('delegation:back', whole)]), decision([claim('delegation:back', whole)])];
  assert.deepEqual(outcomes(await record([one])), ['recorded']);
  assert.equal(await giveBack(one), 1);
  assert.deepEqual(outcomes(await record([two])), ['recorded']);
  assert.deepEqual(outcomes(await record([decision([claim('delegation:back')])])), ['recorded']);
  assert.deepEqual([await giveBack(two), await readTotal('delegation:back#calls')], [0, '2']);
});

test('race: loses or double-counts no use under concurrent takes and returns', async () => {
  const records = [connection(), connection()];
  await Promise.all(
    records.map(async (record, which) => {
      for (let n = 0; n < 10; n += 1) {
        const one = decision([claim('limit:both', { max_calls: 1_000 })]);
        assert.deepEqual(outcomes(await record([one])), ['recorded']);
        if (n % 2 === which) await giveBack(one);
      }
    }),
  );
  assert.equal(await readTotal('limit:both#calls'), '10');
  const { rows } = await owner.query(
    "select array_agg(total::int order by total) as totals from counter_uses where counter = 'limit:both#calls'",
  );
  assert.deepEqual(rows[0].totals, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});
