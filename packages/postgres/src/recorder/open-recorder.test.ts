import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ActionRecord, DecisionRecord } from '@svc/enforcement/ports/ports.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { digestDocument } from '@svc/testing/records/event-rows.ts';
import type pg from 'pg';
import { connect, type Database } from '../connection/connect.ts';
import { openRecorder, type Recorder } from './open-recorder.ts';

const TIMEOUT_MS = 2_000;
const TIMES = { digestDocument, afterCallMs: 60_000, recordWithinMs: 10_000 };

let fresh: FreshDatabase;
let owner: pg.Client;
let database: Database;
let recorder: Recorder;
before(async () => {
  fresh = await createFreshDatabase();
  owner = await fresh.client();
  const settings = { url: fresh.url, connectionsMax: 2, timeoutMs: TIMEOUT_MS };
  database = connect({ ...settings, role: 'svc_gateway', ...testLogin('svc_gateway') });
  recorder = openRecorder(database, { ...settings, role: 'svc_recorder', ...testLogin('svc_recorder') }, TIMES);
  for (const organization of ['org_1', 'org_2']) {
    await owner.query('insert into organizations (id, name) values ($1, $1)', [organization]);
    await owner.query("insert into workspaces (organization_id, id, name, slug) values ($1, 'wsp_1', 'w', 'w')", [organization]);
    const place = "($1, 'env_1', 'wsp_1', 'e', 'STAGING')";
    await owner.query(`insert into environments (organization_id, id, workspace_id, name, type) values ${place}`, [organization]);
    const agent = "($1, 'agt_' || $1, 'wsp_1', 'env_1', 'a')";
    await owner.query(`insert into agents (organization_id, id, workspace_id, environment_id, name) values ${agent}`, [organization]);
  }
});
after(async () => {
  await recorder.close();
  await database.destroy();
  await owner.end();
  await fresh.drop();
});

const decision = (organization_id: string, id: string): DecisionRecord => {
  const agent_id = `agt_${organization_id}`;
  const made = { organization_id, id, environment_id: 'env_1', workspace_id: 'wsp_1', agent_id, agent_name: 'a', tool_id: null, tool: 't' };
  const said = { decision: 'BLOCK', status: 'BLOCKED', mode: 'ENFORCE', code: 'ACTION_BLOCKED', reason: 'r' };
  const asked = { amount: null, currency: null, destination: null, parameters_json: '{}', explanation_json: '{}', execution_json: null };
  const by = { principal_type: 'AGENT', principal_id: agent_id, principal_name: null, request_id: 'req_1', trace_id: 't' };
  const kept = { approval_id: null, idempotency_key: null, idempotency_hash: null, environment_epoch: 1, agent_epoch: 1 };
  const digested = { declaration_version: null, request_hmac: '0a'.repeat(32), digest_salt: '0b'.repeat(16), digest_revision: 0 };
  const times = { created_at: new Date().toISOString(), completed_at: null };
  const action = { ...made, ...said, ...asked, ...by, ...kept, ...digested, ...times } as ActionRecord;
  return {
    action,
    events: [{ id: `evt_${id}`, type: 'action.blocked', about: 'action', data: {} }],
    opens: null,
    consumes: null,
    grows: null,
    callTimeoutMs: null,
    claims: [],
  };
};

test('opens and prepares the recorder before the first request, without recording anything', async () => {
  const settings = { url: fresh.url, connectionsMax: 2, timeoutMs: TIMEOUT_MS };
  const other = openRecorder(database, { ...settings, role: 'svc_recorder', ...testLogin('svc_recorder') }, TIMES);
  const count = async (what: string): Promise<number> => (await owner.query(`select count(*)::int from ${what}`)).rows[0].count;
  const open = "pg_stat_activity where datname = current_database() and application_name = 'svc_recorder'";
  const before = await count(open);
  await other.warm();
  const opened = await count(open);
  assert.equal(opened - before, 9);
  assert.deepEqual(await other.record(decision('org_1', 'act_warm')), { outcome: 'recorded' });
  assert.equal(await count(open), opened);
  assert.equal(await count('actions'), 1);
  assert.equal(await count('audit_events'), 1);
  await owner.query("delete from audit_events; delete from actions where id = 'act_warm'");
  await other.close();
});

test('refuses every decision in time while nothing can be recorded, and records none later', async () => {
  assert.deepEqual(await recorder.record(decision('org_1', 'act_before')), { outcome: 'recorded' });
  await owner.query('begin; lock table actions in access exclusive mode');
  const began = performance.now();
  const outcomes: Promise<{ readonly status: string; readonly afterMs: number }>[] = [];
  for (let turn = 0; turn < 600; turn += 1) {
    const recorded = recorder.record(decision(turn % 3 === 0 ? 'org_2' : 'org_1', `act_${turn}`));
    const settled = (status: string) => () => ({ status, afterMs: performance.now() - began });
    outcomes.push(recorded.then(settled('recorded'), settled('refused')));
    if (turn % 60 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const all = await Promise.all(outcomes);
  await owner.query('rollback');
  assert.deepEqual(new Set(all.map(({ status }) => status)), new Set(['refused']));
  const longestMs = Math.max(...all.map(({ afterMs }) => afterMs));
  // Some seconds more on a busy machine; who waits for the lock waits for ever.
  assert.ok(longestMs < 10 * TIMEOUT_MS, `${longestMs.toFixed(0)} ms`);
  assert.deepEqual(await recorder.record(decision('org_1', 'act_after')), { outcome: 'recorded' });
  const { rows } = await owner.query('select id from actions order by id');
  assert.deepEqual(rows, [{ id: 'act_after' }, { id: 'act_before' }]);
});

test("shares unauthenticated checks by source address, and uses nothing of the organization's share", async () => {
  const question = { organization_id: 'org_1', environment_id: 'env_1', agent_id: 'agt_org_1', environment_epoch: 1, agent_epoch: 1 };
  assert.equal(await recorder.epochsStand(question), true);
  await owner.query('begin; lock table agent_epochs in access exclusive mode');
  const flood = ['10.0.0.1', '10.0.0.2'].flatMap((unproven) =>
    Array.from({ length: 3_000 }, () =>
      recorder.epochsStand({ ...question, unproven }).then(
        () => 'answered',
        () => 'refused',
      ),
    ),
  );
  const others = [question, { ...question, unproven: '10.0.0.3' }].map((one) => recorder.epochsStand(one));
  await new Promise((resolve) => setTimeout(resolve, 50));
  await owner.query('rollback');
  assert.deepEqual(await Promise.all(others), [true, true]);
  const answered = (await Promise.all(flood)).filter((how) => how === 'answered').length;
  assert.ok(answered > 0 && answered < 400, `${answered} of 6000`);
});

test('writes busy counters a few at a time, so that no one waits for all counters of another', async () => {
  const rows: number[] = [];
  const settings = { url: fresh.url, connectionsMax: 2, timeoutMs: TIMEOUT_MS };
  const watched = openRecorder(
    database,
    { ...settings, role: 'svc_recorder', ...testLogin('svc_recorder') },
    { ...TIMES, onBatch: (queue, count) => queue === 'claims' && rows.push(count) },
  );
  const claim = (name: string) => ({
    ...{ counter: `limit:${name}`, window_seconds: 60, max_calls: 1_000, max_amount: 1_000, currency: 'EUR', amount: 1 },
    ...({ code: 'VELOCITY_LIMIT_EXCEEDED', label: 'So many.' } as const),
  });
  const record = (name: string, many: number) =>
    Promise.all(
      Array.from({ length: 24 }, (_, n) => {
        const claims = Array.from({ length: many }, (__, at) => claim(`${name}${at}`));
        return watched.record({ ...decision('org_1', `act_${name}_${n}`), claims });
      }),
    );
  await record('often', 32);
  assert.ok(Math.max(...rows) <= 4, `${rows.join(', ')} with 64 counters`);
  rows.length = 0;
  await record('once', 1);
  assert.ok(Math.max(...rows) >= 12, `${rows.join(', ')} with two`);
  await watched.close();
});

test('writes large rows a few at a time, and small ones all together', async () => {
  const rows: number[] = [];
  const settings = { url: fresh.url, connectionsMax: 2, timeoutMs: TIMEOUT_MS };
  const watched = openRecorder(
    database,
    { ...settings, role: 'svc_recorder', ...testLogin('svc_recorder') },
    { ...TIMES, onBatch: (queue, count) => queue === 'decisions' && rows.push(count) },
  );
  const record = (name: string, parameters_json: string) =>
    Promise.all(
      Array.from({ length: 24 }, (_, n) => {
        const made = decision('org_1', `act_${name}_${n}`);
        return watched.record({ ...made, action: { ...made.action, parameters_json } });
      }),
    );
  await record('large', JSON.stringify({ text: 'x'.repeat(60_000) }));
  assert.ok(Math.max(...rows) <= 5, `${rows.join(', ')} of 60,000 characters`);
  rows.length = 0;
  await record('small', '{}');
  assert.ok(Math.max(...rows) >= 12, `${rows.join(', ')} of two characters`);
  await watched.close();
});
