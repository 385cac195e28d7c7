import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ActionRecord, RecordedOutcome } from '@svc/enforcement/ports/ports.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin, testRole } from '@svc/testing/database/master-key.ts';
import { digestDocument, eventRows } from '@svc/testing/records/event-rows.ts';
import { insertAction } from '@svc/testing/records/insert-action.ts';
import { newUlid } from '@svc/testing/records/new-ulid.ts';
import type pg from 'pg';
import { connect, type Database } from '../connection/connect.ts';
import { openRecorder, type Recorder } from './open-recorder.ts';
import { openPreparedConnection } from './prepared-connection.ts';
import { buildOutcomeRow, newRecordOutcomes } from './record-outcomes.ts';

const AGENT = 'agt_00000000000000000000000001';
const WHERE = { organization_id: 'org_1', workspace_id: 'wsp_1', environment_id: 'env_1' };

let fresh: FreshDatabase;
let owner: pg.Client;
let database: Database;
let recorder: Recorder;
let settings: { readonly url: string; readonly connectionsMax: number; readonly timeoutMs: number };

before(async () => {
  fresh = await createFreshDatabase();
  owner = await fresh.client();
  // Epochs alone, of agents and environments that are nothing else.
  await owner.query('set session_replication_role = replica');
  for (const org of ['org_1', 'org_2']) {
    await owner.query("insert into environment_epochs (organization_id, environment_id, workspace_id) values ($1, 'env_1', 'wsp_1')", [
      org,
    ]);
    await owner.query('insert into agent_epochs (organization_id, agent_id, environment_id) values ($1, $2, $3)', [org, AGENT, 'env_1']);
  }
  await owner.query('set session_replication_role = origin');
  settings = { url: fresh.url, connectionsMax: 2, timeoutMs: 1_000 };
  database = connect({ ...settings, role: 'svc_gateway', ...testLogin('svc_gateway') });
  const asRecorder = { ...settings, role: 'svc_recorder', ...testLogin('svc_recorder') } as const;
  recorder = openRecorder(database, asRecorder, { digestDocument, afterCallMs: 60_000, recordWithinMs: 10_000 });
});
after(async () => {
  await recorder.close();
  await database.destroy();
  await owner.end();
  await fresh.drop();
});

const DIGESTED = { digest_salt: '0b'.repeat(16), digest_revision: 0 };

const getOutcome = (id: string, result: unknown = 1): RecordedOutcome => {
  const by = { principal_type: 'AGENT', principal_id: 'agt_1', principal_name: null, request_id: 'req_1', trace_id: 't' };
  return {
    action: {
      ...WHERE,
      ...by,
      id,
      agent_id: AGENT,
      code: null,
      environment_epoch: 1,
      agent_epoch: 1,
      ...DIGESTED,
    } as unknown as ActionRecord,
    status: 'COMPLETED',
    code: null,
    execution: { state: 'EXECUTED', result },
    event: { id: `evt_${newUlid()}`, type: 'action.completed', about: 'action', data: { tool: 't' } },
    completed_at: new Date().toISOString(),
  };
};
const newExecuting = (where = WHERE) => insertAction(owner, where, { status: 'EXECUTING' });
const readRow = async (id: string) =>
  (await owner.query('select status, execution::text as execution from actions where id = $1', [id])).rows[0];
const readEvents = async (id: string) => (await owner.query('select id, type from audit_events where subject_id = $1', [id])).rows;

test('records outcomes of several organizations together, each with its event, for any downstream response', async () => {
  const ids = [await newExecuting(), await newExecuting({ ...WHERE, organization_id: 'org_2' }), await newExecuting()];
  const outcomes = ids.map((id, index) => {
    const { action, ...rest } = getOutcome(id, index === 2 ? '\u0000\ud800 "\\{},NULL' : index);
    return { ...rest, action: index === 1 ? { ...action, organization_id: 'org_2' } : action };
  });
  assert.deepEqual(await Promise.all(outcomes.map(recorder.recordOutcome)), ['recorded', 'recorded', 'recorded']);
  for (const [index, id] of ids.entries()) {
    assert.deepEqual(await readRow(id), { status: 'COMPLETED', execution: JSON.stringify(outcomes[index]?.execution) });
    assert.deepEqual(await readEvents(id), [{ id: outcomes[index]?.event.id, type: 'action.completed' }]);
  }
});

test('records a rewritten outcome after a lost response once, with one event', async () => {
  const outcome = getOutcome(await newExecuting());
  assert.equal(await recorder.recordOutcome(outcome), 'recorded');
  assert.equal(await recorder.recordOutcome(outcome), 'recorded');
  assert.equal((await readEvents(outcome.action.id)).length, 1);
});

test('reports an outcome as overtaken after an epoch change of its decision, also when rewritten', async () => {
  const [stands, agent, environment] = [
    getOutcome(await newExecuting()),
    getOutcome(await newExecuting()),
    getOutcome(await newExecuting()),
  ];
  const older = (outcome: RecordedOutcome, epoch: object): RecordedOutcome => ({ ...outcome, action: { ...outcome.action, ...epoch } });
  const sent = [stands, older(agent, { agent_epoch: 0 }), older(environment, { environment_epoch: 0 })];
  for (const _ of ['at first', 'again'])
    assert.deepEqual(await Promise.all(sent.map(recorder.recordOutcome)), ['recorded', 'overtaken', 'overtaken']);
  for (const { action } of sent) assert.equal((await readRow(action.id)).status, 'COMPLETED');
});

test('waits for a concurrent attempt, and leaves an action that was closed otherwise', async () => {
  const [mine, other] = [await newExecuting(), await newExecuting()];
  const writing = await fresh.client();
  for (const commits of [false, true]) {
    await writing.query('begin');
    await writing.query("update actions set status = 'UNKNOWN', completed_at = now() where id = $1", [commits ? other : mine]);
    const recording = recorder.recordOutcome(getOutcome(commits ? other : mine));
    const timer = new Promise((resolve) => setTimeout(resolve, 1_200, 'waits'));
    assert.equal(await Promise.race([recording, timer]), 'waits');
    await writing.query(commits ? 'commit' : 'rollback');
    assert.equal(await recording, commits ? 'closed' : 'recorded');
  }
  await writing.end();
  assert.deepEqual([(await readRow(mine)).status, (await readRow(other)).status], ['COMPLETED', 'UNKNOWN']);
  assert.deepEqual(await readEvents(other), []);
});

test('loses no outcome by a revoked and restored grant, or cut connections', async () => {
  const ids: string[] = [];
  while (ids.length < 8) ids.push(await newExecuting());
  const role = testRole('svc_recorder');
  await owner.query(`revoke update on actions from ${role}`);
  const recording = ids.map((id) => recorder.recordOutcome(getOutcome(id)));
  await new Promise((resolve) => setTimeout(resolve, 200));
  await owner.query(`grant update (status, code, execution, completed_at, digest_revision) on actions to ${role}`);
  await owner.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = $1', [role]);
  assert.deepEqual(new Set(await Promise.all(recording)), new Set(['recorded']));
});

test('waits on close for the outcomes being retried', async () => {
  const asRecorder = { ...settings, role: 'svc_recorder', ...testLogin('svc_recorder') } as const;
  const other = openRecorder(database, asRecorder, { digestDocument, afterCallMs: 60_000, recordWithinMs: 10_000 });
  const id = await newExecuting();
  await owner.query('begin; lock table actions in access exclusive mode');
  const recording = other.recordOutcome(getOutcome(id));
  const closing = other.close();
  await new Promise((resolve) => setTimeout(resolve, 700));
  await owner.query('rollback');
  await closing;
  assert.equal((await readRow(id)).status, 'COMPLETED');
  assert.equal(await recording, 'recorded');
});

test('looks up each action by its index and changes it in place, however small the table was at planning', async () => {
  const asRecorder = { ...settings, role: 'svc_recorder', ...testLogin('svc_recorder') } as const;
  const lane = openPreparedConnection(asRecorder);
  const record = newRecordOutcomes(lane, eventRows);
  const read = async (): Promise<{ whole: number; entries: number }> => {
    await lane.run({ name: 'flush', text: 'select pg_stat_force_next_flush()' }, []);
    const { rows } = await owner.query(
      `select (select seq_scan::int from pg_stat_user_tables where relname = 'actions') as whole,
        (select sum(idx_tup_read)::int from pg_stat_user_indexes where relname = 'actions') as entries`,
    );
    return rows[0];
  };
  assert.deepEqual(await record([buildOutcomeRow(getOutcome(await newExecuting()))]), ['recorded']);
  const ids: string[] = [];
  while (ids.length < 60) ids.push(await newExecuting());
  const before = await read();
  assert.deepEqual(await record(ids.slice(0, 3).map((id) => buildOutcomeRow(getOutcome(id)))), ['recorded', 'recorded', 'recorded']);
  const after = await read();
  await lane.close();
  assert.equal(after.whole, before.whole);
  assert.ok(after.entries - before.entries <= 6, `${after.entries - before.entries} entries of indexes were read for three outcomes`);
});

test('lets the recorder close actions in execution, and not reopen or change any', async () => {
  const [open, closed] = [await newExecuting(), await insertAction(owner, WHERE, { status: 'COMPLETED' })];
  const asRecorder = openPreparedConnection({ ...settings, role: 'svc_recorder', ...testLogin('svc_recorder') });
  const update = (name: string, set: string, id: string) =>
    asRecorder.run({ name, text: `update actions set ${set} where organization_id = 'org_1' and id = $1 returning id` }, [id]);
  await assert.rejects(update('reopen', "status = 'ALLOWED'", open), { code: '42501' });
  await assert.rejects(update('change', "decision = 'BLOCK'", open), { code: '42501' });
  assert.deepEqual(await update('again', "status = 'UNKNOWN'", closed), []);
  await asRecorder.close();
  assert.deepEqual([(await readRow(open)).status, (await readRow(closed)).status], ['EXECUTING', 'COMPLETED']);
});
