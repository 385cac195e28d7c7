import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect as connectSocket, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { ApprovalFacts } from '@svc/enforcement/facts/facts.ts';
import type { ActionRecord, DecisionRecord, RecordedOutcome } from '@svc/enforcement/ports/ports.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { digestDocument } from '@svc/testing/records/event-rows.ts';
import { insertHeldAction } from '@svc/testing/records/insert-action.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import pg from 'pg';
import { connect, type Database } from '../connection/connect.ts';
import { openRecorder, type Recorder } from './open-recorder.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'svc-cut-'));

let fresh: FreshDatabase;
let owner: pg.Client;
let database: Database;
let recorder: Recorder;
let proxy: Server;
/** Drops the server's responses until `cut` ends their connections: the work is done, and no one learns of it. */
let isDeaf = false;
/** Becomes deaf when a client sends this. */
let deafAt: string | undefined;
const unheard = new Set<Socket>();
const cut = (): void => {
  isDeaf = false;
  deafAt = undefined;
  for (const socket of unheard) socket.destroy();
  unheard.clear();
};

/** Starts a proxy of the database server, on a socket of its own. */
const startProxy = async (): Promise<void> => {
  const { host, port } = new pg.Client({ connectionString: fresh.url });
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  proxy = createServer((near) => {
    const far = connectSocket(target as { path: string });
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near
      .on('close', () => far.destroy())
      .on('data', (bytes) => {
        if (deafAt !== undefined && bytes.includes(deafAt)) isDeaf = true;
        far.write(bytes);
      });
    far.on('close', () => near.destroy());
    far.on('data', (bytes) => {
      if (isDeaf) unheard.add(near);
      else near.write(bytes);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(path.join(folder, '.s.PGSQL.5432'), resolve));
};

before(async () => {
  fresh = await createFreshDatabase();
  owner = await fresh.client();
  await startProxy();
  const url = new URL(fresh.url.replace('@/', '@localhost/'));
  const settings = { url: `postgres://localhost${url.pathname}?host=${folder}&port=5432`, connectionsMax: 1, timeoutMs: 2_000 };
  database = connect({ ...settings, role: 'svc_gateway', ...testLogin('svc_gateway') });
  const asRecorder = { ...settings, role: 'svc_recorder', ...testLogin('svc_recorder') } as const;
  recorder = openRecorder(database, asRecorder, { digestDocument, afterCallMs: 60_000, recordWithinMs: 10_000 });
  for (const text of [
    "insert into organizations (id, name) values ('org_1', 'o')",
    "insert into workspaces (organization_id, id, name, slug) values ('org_1', 'wsp_1', 'w', 'w')",
    "insert into environments (organization_id, id, workspace_id, name, type) values ('org_1', 'env_1', 'wsp_1', 'e', 'STAGING')",
    "insert into agents (organization_id, id, workspace_id, environment_id, name) values ('org_1', 'agt_1', 'wsp_1', 'env_1', 'a')",
  ])
    await owner.query(text);
});
after(async () => {
  await recorder.close();
  await database.destroy();
  proxy.close();
  await owner.end();
  await fresh.drop();
  rmSync(folder, { recursive: true, force: true });
});

const decision = (id: string): DecisionRecord => {
  const made = {
    organization_id: 'org_1',
    id,
    environment_id: 'env_1',
    workspace_id: 'wsp_1',
    agent_id: 'agt_1',
    agent_name: 'a',
    tool_id: null,
  };
  const said = { tool: 't', decision: 'ALLOW', status: 'EXECUTING', mode: 'ENFORCE', code: null, reason: 'r' };
  const asked = { amount: null, currency: null, destination: null, parameters_json: '{}', explanation_json: '{}', execution_json: null };
  const by = { principal_type: 'AGENT', principal_id: 'agt_1', principal_name: null, request_id: 'req_1', trace_id: 't' };
  const kept = { approval_id: null, idempotency_key: null, idempotency_hash: null, environment_epoch: 1, agent_epoch: 1 };
  const digested = { declaration_version: null, request_hmac: '0a'.repeat(32), digest_salt: '0b'.repeat(16), digest_revision: 0 };
  const times = { created_at: new Date().toISOString(), completed_at: null };
  const action = { ...made, ...said, ...asked, ...by, ...kept, ...digested, ...times } as ActionRecord;
  return {
    action,
    events: [{ id: `evt_${id}`, type: 'action.allowed', about: 'action', data: {} }],
    opens: null,
    consumes: null,
    grows: null,
    callTimeoutMs: null,
    claims: [],
  };
};

const outcome = ({ action }: DecisionRecord, status: 'COMPLETED' | 'FAILED'): RecordedOutcome => ({
  action,
  status,
  code: status === 'FAILED' ? 'EXECUTION_FAILED' : null,
  execution: { state: status === 'FAILED' ? 'FAILED' : 'EXECUTED' },
  event: { id: `evt_end_${action.id}`, type: status === 'FAILED' ? 'action.failed' : 'action.completed', about: 'action', data: {} },
  completed_at: new Date().toISOString(),
});

const readStatus = async (id: string): Promise<string | undefined> =>
  (await owner.query('select status from actions where id = $1', [id])).rows[0]?.status;
const readEndings = async (id: string) =>
  (await owner.query("select from audit_events where subject_id = $1 and id like 'evt_end%'", [id])).rowCount;

test('rewrites a committed outcome with a lost response, and records it once', async () => {
  // The connection of outcomes is open before nothing is heard any more.
  const earlier = decision('act_0');
  await recorder.record(earlier);
  assert.equal(await recorder.recordOutcome(outcome(earlier, 'COMPLETED')), 'recorded');
  const recorded = decision('act_1');
  assert.deepEqual(await recorder.record(recorded), { outcome: 'recorded' });
  isDeaf = true;
  const writing = recorder.recordOutcome(outcome(recorded, 'COMPLETED'));
  await waitUntil('the outcome is committed', async () => (await readStatus('act_1')) === 'COMPLETED');
  cut();
  assert.equal(await writing, 'recorded');
  assert.deepEqual([await readStatus('act_1'), await readEndings('act_1')], ['COMPLETED', 1]);
});

test('closes a committed decision with a lost response, and creates none that is not recorded', async () => {
  const [lost, unknown] = [decision('act_2'), decision('act_3')];
  isDeaf = true;
  const recording = assert.rejects(recorder.record(lost));
  await waitUntil('the decision is committed', async () => (await readStatus('act_2')) === 'EXECUTING');
  cut();
  await recording;
  recorder.undo(outcome(lost, 'FAILED'));
  recorder.undo(outcome(unknown, 'FAILED'));
  await waitUntil('it is taken back', async () => (await readStatus('act_2')) === 'FAILED');
  assert.deepEqual([await readStatus('act_2'), await readEndings('act_2')], ['FAILED', 1]);
  assert.equal(await readStatus('act_3'), undefined);
});

test('undoes a committed use of an approval with a lost response, so that approval and key are usable again', async () => {
  const { actionId, approvalId } = await insertHeldAction(
    owner,
    { organization_id: 'org_1', workspace_id: 'wsp_1', environment_id: 'env_1' },
    { status: 'APPROVED', approved_by: ['usr_1'] },
    { agent_id: 'agt_1', principal_id: 'agt_1' },
  );
  const { rows } = await owner.query('select expires_at from approvals where id = $1', [approvalId]);
  const consumes = {
    id: approvalId,
    action_id: actionId,
    request_hash: '07'.repeat(32),
    expires_at: rows[0].expires_at,
    is_restored: false,
    approved_by: ['usr_1'],
  };
  const used = (requestId: string): DecisionRecord => {
    const made = decision(actionId);
    const key = { idempotency_key: `key of ${requestId}`, idempotency_hash: '0'.repeat(64) };
    const action = { ...made.action, ...key, approval_id: approvalId, request_id: requestId };
    return { ...made, action, consumes: consumes as unknown as ApprovalFacts };
  };
  const undone = (record: DecisionRecord, id: string): RecordedOutcome => {
    const restored = { id: `evt_${id}`, type: 'approval.restored', about: 'approval', data: {} } as const;
    return { ...outcome(record, 'FAILED'), givesBack: { approval: { id: approvalId, restored }, claims: [], freesKey: true } };
  };
  const stands = async () =>
    (await owner.query('select status, consumed_by_key, restored_at is not null as restored from approvals where id = $1', [approvalId]))
      .rows[0];

  const lost = used('req_lost');
  // The whole statement as it is sent; connecting names a setting of that name too.
  deafAt = '\u000bcommit\0';
  const recording = assert.rejects(recorder.record(lost));
  await waitUntil('the use is committed', async () => (await stands()).status === 'CONSUMED');
  cut();
  await recording;
  // Not on record: the action runs for the use above.
  assert.equal(await recorder.recordOutcome(undone(used('req_other'), 'none')), 'closed');
  assert.equal((await stands()).status, 'CONSUMED');
  recorder.undo(undone(lost, 'restored_1'));
  await waitUntil('it is undone', async () => (await stands()).restored);
  assert.deepEqual(await stands(), { status: 'APPROVED', consumed_by_key: null, restored: true });
  assert.equal(await readStatus(actionId), 'FAILED');
  const { rowCount } = await owner.query("select from audit_events where subject_id = $1 and type = 'approval.restored'", [approvalId]);
  assert.equal(rowCount, 1);
});
