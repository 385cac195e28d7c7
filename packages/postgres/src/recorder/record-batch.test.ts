import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ActionRecord, DecisionRecord } from '@svc/enforcement/ports/ports.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { eventRows } from '@svc/testing/records/event-rows.ts';
import type pg from 'pg';
import { openPreparedConnection, type PreparedConnection } from './prepared-connection.ts';
import { newRecordBatch, type RecordBatch } from './record-batch.ts';

let database: FreshDatabase;
let owner: pg.Client;
let recorder: PreparedConnection;
let recordBatch: RecordBatch;

/** A tenant with one environment and one agent in it, each at its first epoch. */
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

before(async () => {
  database = await createFreshDatabase();
  owner = await database.client();
  await addTenant('org_1');
  await addTenant('org_2');
  const login = testLogin('svc_recorder');
  recorder = openPreparedConnection({ url: database.url, role: 'svc_recorder', ...login, connectionsMax: 1, timeoutMs: 10_000 });
  recordBatch = newRecordBatch(recorder, eventRows, 60_000);
});
after(async () => {
  await recorder.close();
  await owner.end();
  await database.drop();
});

let decisions = 0;

const decision = (overrides: Partial<ActionRecord> = {}): DecisionRecord => {
  decisions += 1;
  const organization_id = overrides.organization_id ?? 'org_1';
  const action: ActionRecord = {
    organization_id,
    id: `act_${decisions}`,
    environment_id: 'env_1',
    workspace_id: 'wsp_1',
    agent_id: `agt_of_${organization_id}`,
    agent_name: 'Zoë "the" agent\\',
    tool_id: 'tool_1',
    tool: 'refund.create',
    principal_type: 'AGENT',
    principal_id: `agt_of_${organization_id}`,
    principal_name: 'Name',
    decision: 'BLOCK',
    status: 'BLOCKED',
    mode: 'ENFORCE',
    code: 'ACTION_BLOCKED',
    reason: 'Not {here}, "never".',
    amount: 9_007_199_254_740_991,
    currency: 'EUR',
    destination: 'api.example.com:443',
    parameters_json: '{"order":"A-1","note":"Grüße 🙂"}',
    explanation_json: '{"stages":[{"stage":"identity"}]}',
    execution_json: '{"state":"BY_AGENT"}',
    approval_id: 'apr_1',
    request_id: 'req_1',
    trace_id: 'f'.repeat(32),
    idempotency_key: null,
    idempotency_hash: null,
    idempotency_hash_unkeyed: null,
    environment_epoch: 1,
    agent_epoch: 1,
    created_at: '2030-01-02T03:04:05.678Z',
    completed_at: '2030-01-02T03:04:06.789Z',
    declaration_version: 3,
    request_hmac: '0a'.repeat(32),
    digest_salt: '0b'.repeat(16),
    digest_revision: 0,
    ...overrides,
  };
  const events = (['action.requested', 'action.blocked'] as const).map((type) => ({
    id: `evt_${type}_${decisions}`,
    type,
    about: 'action' as const,
    data: { of: action.id, type },
  }));
  return { action, events, opens: null, consumes: null, grows: null, callTimeoutMs: null, claims: [] };
};

const NOTHING = {
  tool_id: null,
  principal_name: null,
  code: null,
  amount: null,
  currency: null,
  destination: null,
  execution_json: null,
  approval_id: null,
  completed_at: null,
};

const readAction = async (id: string) =>
  (
    await owner.query(
      `select *, amount::text, parameters::text as parameters_json, explanation::text as explanation_json,
         execution::text as execution_json, environment_epoch::int, agent_epoch::int,
         declaration_version::int, encode(request_hmac, 'hex') as request_hmac, encode(digest_salt, 'hex') as digest_salt, digest_revision::int
         from actions where id = $1`,
      [id],
    )
  ).rows[0];

const isStored = async ({ action, events }: DecisionRecord): Promise<void> => {
  const row = await readAction(action.id);
  const { principal_name, amount, created_at, completed_at, idempotency_hash_unkeyed: _onlyCompared, ...same } = action;
  for (const [name, value] of Object.entries(same)) assert.equal(row[name], value, name);
  assert.equal(row.amount, amount === null ? null : String(amount));
  assert.equal(row.created_at.toISOString(), created_at);
  assert.equal(row.completed_at?.toISOString() ?? null, completed_at);
  const { rows: told } = await owner.query('select * from audit_events where subject_id = $1 order by id desc', [action.id]);
  assert.deepEqual(
    told.map((event) => [event.id, event.type, event.data]),
    events.map((event) => [event.id, event.type, event.data]),
  );
  for (const event of told) {
    assert.equal(event.organization_id, action.organization_id);
    assert.equal(event.workspace_id, action.workspace_id);
    assert.equal(event.environment_id, action.environment_id);
    assert.deepEqual([event.actor_type, event.actor_id, event.actor_name], [action.principal_type, action.principal_id, principal_name]);
    assert.deepEqual([event.subject_type, event.severity], ['action', event.type === 'action.blocked' ? 'warning' : 'info']);
    assert.deepEqual([event.request_id, event.trace_id], [action.request_id, action.trace_id]);
    assert.equal(event.occurred_at.toISOString(), created_at);
  }
};

const readOutcomes = async (records: readonly DecisionRecord[]): Promise<string[]> =>
  (await recordBatch(records)).map(({ outcome }) => outcome);

describe('a batch of decisions', () => {
  test('is stored member by member with its events, with any nulls, in any organization', async () => {
    const records = [decision(), decision(NOTHING), decision({ organization_id: 'org_2' })];
    assert.deepEqual(await readOutcomes(records), ['recorded', 'recorded', 'recorded']);
    for (const record of records) await isStored(record);
  });

  test('omits, with its events, each decision outside of the scope of its epochs, and no other', async () => {
    const wrong = [
      { environment_epoch: 2 },
      { agent_epoch: 0 },
      { workspace_id: 'wsp_2' },
      { environment_id: 'env_2' },
      { organization_id: 'org_3' },
      { agent_id: 'agt_of_org_2' },
    ];
    const records = [decision(), ...wrong.map(decision), decision()];
    assert.deepEqual(await readOutcomes(records), ['recorded', ...wrong.map(() => 'moved'), 'recorded']);
    const { rows } = await owner.query('select id from actions where id = any($1)', [records.map(({ action }) => action.id)]);
    assert.equal(rows.length, 2);
    const { rows: told } = await owner.query('select subject_id from audit_events where subject_id = any($1)', [
      records.map(({ action }) => action.id),
    ]);
    assert.equal(told.length, 4);
  });

  test('sees an epoch change between two batches of one connection', async () => {
    assert.deepEqual(await readOutcomes([decision()]), ['recorded']);
    await owner.query("update agents set status = 'PAUSED' where id = 'agt_of_org_1'");
    assert.deepEqual(await readOutcomes([decision(), decision({ organization_id: 'org_2' })]), ['moved', 'recorded']);
    await owner.query("update agent_epochs set epoch = 1 where agent_id = 'agt_of_org_1'");
  });

  test('stores nothing if one row cannot be stored', async () => {
    const records = [decision(), decision({ reason: 'a\u0000b' }), decision({ parameters_json: '{' })];
    await assert.rejects(recordBatch(records));
    for (const { action } of records) assert.equal(await readAction(action.id), undefined);
  });
});

const keyed = (key: string, overrides: Partial<ActionRecord> = {}): DecisionRecord =>
  decision({ idempotency_key: key, idempotency_hash: 'ab'.repeat(32), ...overrides });

const readStored = async (records: readonly DecisionRecord[]): Promise<boolean[]> => {
  const stored = await Promise.all(records.map(({ action }) => readAction(action.id)));
  const { rows } = await owner.query('select subject_id, count(*)::int as n from audit_events where subject_id = any($1) group by 1', [
    records.map(({ action }) => action.id),
  ]);
  const told = new Map(rows.map((row) => [row.subject_id, row.n]));
  for (const [index, { action }] of records.entries()) assert.equal(told.get(action.id) ?? 0, stored[index] ? 2 : 0);
  return stored.map((row) => row !== undefined);
};

test('looks up each state row by its index, however small the tables were at planning', async () => {
  const readWhole = async (): Promise<unknown> => {
    await recorder.run({ name: 'flush', text: 'select pg_stat_force_next_flush()' }, []);
    const { rows } = await owner.query(
      "select relname, seq_scan from pg_stat_user_tables where relname in ('environment_epochs', 'agent_epochs') order by relname",
    );
    assert.equal(rows.length, 2);
    return rows;
  };
  await owner.query('analyze environment_epochs, agent_epochs');
  const before = await readWhole();
  assert.deepEqual(await readOutcomes([decision(), decision({ organization_id: 'org_2' })]), ['recorded', 'recorded']);
  assert.deepEqual(await readWhole(), before);
});

describe('a decision that the database accepts and does not store', () => {
  const swallow = async (table: string, work: () => Promise<void>): Promise<void> => {
    await owner.query(`create function swallow() returns trigger language plpgsql as $$ begin return null; end $$;
      create trigger swallows before insert on ${table} for each row when (new.request_id = 'req_swallowed') execute function swallow()`);
    try {
      await work();
    } finally {
      await owner.query(`drop trigger swallows on ${table}; drop function swallow()`);
    }
  };
  const request_id = 'req_swallowed';
  const keyed = { idempotency_key: 'k-swallowed', idempotency_hash: '00' };

  test('is not reported as recorded, and nothing else of the batch is stored', async () => {
    await swallow('actions', async () => {
      const [swallowed, other] = [decision({ request_id }), decision()];
      await assert.rejects(recordBatch([other, swallowed]), { code: '22012' });
      await assert.rejects(recordBatch([swallowed, decision(keyed)]), { code: '22012' });
      assert.deepEqual(await recordBatch([other]), [{ outcome: 'recorded' }]);
    });
    assert.equal((await owner.query('select from audit_events where request_id = $1', [request_id])).rowCount, 0);
  });
});

describe('a batch of decisions with idempotency keys', () => {
  test('stores one decision for each key of a principal, and reports used keys to the others', async () => {
    const records = [keyed('b'), keyed('a'), decision(), keyed('b'), keyed('a', { principal_id: 'agt_other' }), keyed('c')];
    const outcomes = await readOutcomes(records);
    assert.deepEqual(outcomes, ['recorded', 'recorded', 'recorded', 'key_used', 'recorded', 'recorded']);
    assert.deepEqual(await readStored(records), [true, true, true, false, true, true]);
    const row = await readAction(records[0]?.action.id ?? '');
    assert.deepEqual([row.idempotency_key, row.idempotency_hash.toString('hex')], ['b', 'ab'.repeat(32)]);
    const later = [keyed('c'), keyed('d'), keyed('c', { organization_id: 'org_2' })];
    assert.deepEqual(await readOutcomes(later), ['key_used', 'recorded', 'recorded']);
    assert.deepEqual(await readStored(later), [false, true, true]);
  });

  test('finds a key used that used up an approval of the same agent', async () => {
    const held = decision();
    await readOutcomes([held]);
    await owner.query(
      `insert into approvals (organization_id, id, action_id, agent_id, environment_id, workspace_id, status, request_hash, requested_by_type,
         requested_by_id, approver_roles, quorum, step_up, reason, requested_at, expires_at, consumed_by_key)
       values ('org_1', 'apr_1', $1, 'agt_of_org_1', 'env_1', 'wsp_1', 'CONSUMED', '', 'AGENT', 'agt_of_org_1', '{approver}', 1, false, '', now(), now(), 'resumed')`,
      [held.action.id],
    );
    const records = [keyed('resumed'), keyed('resumed', { principal_id: 'agt_other' }), keyed('other')];
    assert.deepEqual(await readOutcomes(records), ['key_used', 'recorded', 'recorded']);
    assert.deepEqual(await readStored(records), [false, true, true]);
  });

  test('reports an outdated state, whether its key was used or not', async () => {
    assert.deepEqual(await readOutcomes([keyed('e')]), ['recorded']);
    const records = [keyed('e', { agent_epoch: 7 }), keyed('f', { agent_epoch: 7 }), keyed('e')];
    assert.deepEqual(await readOutcomes(records), ['moved', 'moved', 'key_used']);
    assert.deepEqual(await readStored(records), [false, false, false]);
  });

  test('never deadlocks with another batch that has the same keys in another order', async () => {
    const login = testLogin('svc_recorder');
    const other = openPreparedConnection({ url: database.url, role: 'svc_recorder', ...login, connectionsMax: 1, timeoutMs: 10_000 });
    const recordOther = newRecordBatch(other, eventRows, 60_000);
    for (let round = 0; round < 50; round += 1) {
      const keys = Array.from({ length: 24 }, (_, index) => `round-${round}-${index}`);
      const one = keys.map((key) => keyed(key));
      const reversed = keys.toReversed().map((key) => keyed(key));
      const outcomes = (await Promise.all([recordBatch(one), recordOther(reversed)])).flat().map(({ outcome }) => outcome);
      assert.equal(outcomes.filter((outcome) => outcome === 'recorded').length, keys.length);
      assert.equal(outcomes.filter((outcome) => outcome === 'key_used').length, keys.length);
    }
    await other.close();
  });
});
