import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertAction, insertHeldAction } from '@svc/testing/records/insert-action.ts';
import type pg from 'pg';

let planes: Planes;
let database: pg.Client;
before(async () => {
  planes = await leasePlanes();
  database = await planes.database.client();
});
after(async () => {
  await database.end();
  await planes.stop();
});

const noTest = [{ name: 'nothing is known', given: {}, then: { effect: 'BLOCK', rule: null } }];
const when = (field: string, op: string, value?: unknown) => ({ field, op, ...(value === undefined ? {} : { value }) });
const FIELDS = ['velocity.calls_1m', 'velocity.calls_1h', 'velocity.calls_24h', 'velocity.amount_24h'];
const looking = { id: 'look', effect: 'ALLOW', reason: 'Looks.', when: { all: FIELDS.map((field) => when(field, 'gte', 0)) } };

type Explained = { explanation: { matched_rules: { conditions: { field: string; actual?: unknown }[] }[] } };

const seenIn = (json: Explained): unknown[] => {
  const conditions = json.explanation.matched_rules.flatMap((rule) => rule.conditions);
  return FIELDS.map((field) => conditions.find((condition) => condition.field === field)?.actual);
};

const record = ({ tenant, agent }: Governed, agoSeconds: number, overrides: object = {}): Promise<string> =>
  insertAction(database, tenant, {
    agent_id: agent.id,
    principal_id: agent.id,
    created_at: new Date(Date.now() - agoSeconds * 1000),
    ...overrides,
  });

test('rules see the number and amounts of allowed actions of an agent, and nothing of other agents or refused ones', async () => {
  const governed = await newGoverned(planes, { rules: [looking], tests: noTest });
  const other = await newGoverned(planes, { rules: [looking], tests: noTest });
  assert.deepEqual(seenIn((await governed.act({ amount: 5 })).json), [0, 0, 0, 0]);
  await record(governed, 30, { amount: 100, currency: 'EUR' });
  await record(governed, 120, { amount: 1000, currency: 'EUR', status: 'COMPLETED' });
  await record(governed, 7200, { amount: 10_000, currency: 'EUR', status: 'FAILED' });
  await record(governed, 90_000, { amount: 7, currency: 'EUR' });
  await record(governed, 10, { amount: 7, currency: 'EUR', status: 'BLOCKED', decision: 'BLOCK' });
  await record(governed, 10, { amount: 7, currency: 'EUR', status: 'PENDING_APPROVAL' });
  await record(governed, 10, { amount: 7, currency: 'EUR', status: 'SIMULATED' });
  await record(other, 10, { amount: 7, currency: 'EUR' });
  const { base_currency } = (await governed.owner('GET', '/v1/organization')).json;
  await database.query("update actions set currency = $1 where currency = 'EUR'", [base_currency]);
  assert.deepEqual(seenIn((await governed.act({ amount: 5 })).json), [2, 3, 4, 11_105]);
});

test('an approved action counts when it ran, once, regardless of when it was requested', async () => {
  const governed = await newGoverned(planes, { rules: [looking], tests: noTest });
  const { tenant, agent } = governed;
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);
  const { base_currency: currency } = (await governed.owner('GET', '/v1/organization')).json;
  const run = (n: number, askedAgo: number, ranAgo: number, amount: number) =>
    insertHeldAction(
      database,
      tenant,
      { agent_id: agent.id, status: 'CONSUMED', requested_at: ago(askedAgo), consumed_at: ago(ranAgo) },
      {
        // Dated by its request: more than a day ago, or now.
        ...(askedAgo > 86_400 ? { id: `act_01A00000000000000000000${agent.id.slice(-2)}${n}` } : {}),
        agent_id: agent.id,
        decision: 'ALLOW',
        status: 'COMPLETED',
        code: null,
        amount,
        currency,
        created_at: ago(askedAgo),
      },
    );
  await run(1, 90_000, 30, 1);
  await run(2, 90_000, 7_200, 10);
  await run(3, 7_300, 20, 100);
  await run(4, 600_000, 90_000, 1_000);
  assert.deepEqual(seenIn((await governed.act({ amount: 5 })).json), [2, 2, 3, 111]);
});

test('a rule about velocity applies to an approved action when it runs', async () => {
  const governed = await newGoverned(planes, {
    rules: [
      { id: 'person', effect: 'REQUIRE_APPROVAL', reason: 'A person.' },
      { id: 'fast', effect: 'BLOCK', reason: 'Too fast.', when: when('velocity.calls_1m', 'gte', 2) },
    ],
    tests: [{ name: 'fast', given: { velocity: { calls_1m: 2 } }, then: { effect: 'BLOCK', rule: 'fast' } }],
  });
  const bodies = [];
  for (let n = 0; n < 3; n += 1) {
    const parameters = { n };
    const approval_id = (await governed.act({ parameters })).json.error.details.approval_id;
    assert.equal((await governed.owner('POST', `/v1/approvals/${approval_id}/approve`, {})).status, 200);
    bodies.push({ parameters, approval_id });
  }
  // Simulates requests from well before that were all approved now.
  await database.query("update actions set created_at = created_at - interval '2 hours' where agent_id = $1", [governed.agent.id]);
  const answers = [];
  for (const body of bodies) answers.push((await governed.act(body)).json);
  assert.deepEqual(
    answers.map(({ status, error }) => status ?? error.code),
    ['ALLOWED', 'ALLOWED', 'ACTION_BLOCKED'],
  );
});

test('a rule about velocity stops an agent that is too fast, also in a dry run and a simulation', async () => {
  const governed = await newGoverned(planes, {
    rules: [
      { id: 'any', effect: 'ALLOW', reason: 'Any.' },
      { id: 'fast', effect: 'BLOCK', reason: 'Too fast.', when: when('velocity.calls_1m', 'gte', 3) },
    ],
    tests: [{ name: 'fast', given: { velocity: { calls_1m: 3 } }, then: { effect: 'BLOCK', rule: 'fast' } }],
  });
  for (let call = 0; call < 3; call += 1) assert.equal((await governed.act({})).status, 200);
  assert.equal((await governed.act({ dry_run: true })).json.error.code, 'ACTION_BLOCKED');
  assert.equal((await governed.act({})).json.error.code, 'ACTION_BLOCKED');
  const simulated = await governed.owner('POST', '/v1/policies/simulate', { agent_id: governed.agent.id, tool: 'pay' });
  assert.equal(simulated.json.decision, 'BLOCK');
  await database.query("update actions set created_at = created_at - interval '1 minute' where agent_id = $1", [governed.agent.id]);
  assert.equal((await governed.act({})).status, 200, 'refused attempts do not prolong it');
});

test('more calls than can be counted are reported as the maximum, and amounts then as infinite', async () => {
  const governed = await newGoverned(planes, { rules: [looking], tests: noTest });
  const id = await record(governed, 0.5, { amount: 1, currency: 'EUR' });
  await database.query(
    `insert into actions select (jsonb_populate_record(a, jsonb_build_object('id', 'act_' || lpad(n::text, 26, 'Z')))).*
       from actions a, generate_series(1, 10001) n where a.id = $1`,
    [id],
  );
  assert.deepEqual(seenIn((await governed.act({})).json), [10_000, 10_000, 10_000, Number.MAX_SAFE_INTEGER]);
});

test('principal.type distinguishes an agent from a person who requests for it', async () => {
  const governed = await newGoverned(planes, {
    rules: [
      { id: 'agents', effect: 'ALLOW', reason: 'Agents.', when: when('principal.type', 'eq', 'AGENT') },
      { id: 'people', effect: 'BLOCK', reason: 'No people.', when: when('principal.type', 'in', ['USER', 'API_KEY']) },
    ],
    tests: noTest,
  });
  assert.equal((await governed.act({})).json.explanation.matched_rule.id, 'agents');
  const evaluated = await governed.owner('POST', '/v1/actions/evaluate', { agent_id: governed.agent.id, tool: 'pay' });
  assert.equal(evaluated.json.explanation.matched_rule.id, 'people');
});

test('request.sdk_name is the library that the agent stated at sign-in, and unknown without a sign-in', async () => {
  const governed = await newGoverned(planes, {
    rules: [{ id: 'known', effect: 'ALLOW', reason: 'Known.', when: when('request.sdk_name', 'eq', 'test') }],
    tests: noTest,
  });
  assert.equal((await governed.act({})).status, 200);
  const evaluated = await governed.owner('POST', '/v1/actions/evaluate', { agent_id: governed.agent.id, tool: 'pay' });
  assert.equal(evaluated.json.decision, 'BLOCK');
  assert.deepEqual(evaluated.json.explanation.unknown_fields, ['request.sdk_name']);
});

test('an editor shows every effect, and no field that no request has', async () => {
  const governed = await newGoverned(planes, { rules: [{ id: 'any', effect: 'ALLOW', reason: 'Any.' }] });
  const schema = (await governed.owner('GET', '/v1/policies/builder-schema')).json;
  const unknown = schema.fields.filter((field: { unknown_because: string | null }) => field.unknown_because !== null);
  assert.deepEqual(unknown, []);
  assert.deepEqual(
    schema.effects.map((effect: { name: string }) => effect.name),
    ['ALLOW', 'MASK', 'LIMIT', 'REQUIRE_APPROVAL', 'BLOCK'],
  );
});
