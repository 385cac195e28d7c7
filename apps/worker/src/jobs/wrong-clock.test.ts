import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabaseClock } from '@svc/http/clock/open-database-clock.ts';
import { connect, type Database, type DatabaseRole } from '@svc/postgres/connection/connect.ts';
import { newLogger } from '@svc/program/log/new-logger.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { insertAction, insertHeldAction } from '@svc/testing/records/insert-action.ts';
import type pg from 'pg';
import { type JobDeps, runJob } from './job.ts';
import { DATABASE_JOBS } from './jobs.ts';
import { startJobs } from './start-jobs.ts';

const log = newLogger('test', 'silent', { write: () => {} });
const where = { organization_id: 'org_a', workspace_id: 'wsp_1', environment_id: 'env_1' };
const [MINUTE, DAY] = [60_000, 86_400_000];

let fresh: FreshDatabase;
let owner: pg.Client;
const opened: Database[] = [];
const connectAs = (role: DatabaseRole): Database => {
  const database = connect({ url: fresh.url, role, ...testLogin(role), connectionsMax: 4, timeoutMs: 20_000 });
  opened.push(database);
  return database;
};
before(async () => {
  fresh = await createFreshDatabase();
  owner = await fresh.client();
  await owner.query("insert into organizations (id, name) values ('org_a', 'org_a')");
});
after(async () => {
  await Promise.all(opened.map((database) => database.destroy()));
  await owner.end();
  await fresh.drop();
});

test('no sweep of an instance whose clock is a day ahead ends anything early', async (t) => {
  const now = new Date();
  const at = (ms: number) => new Date(now.getTime() + ms);
  const held = await insertHeldAction(owner, where, { expires_at: at(MINUTE) });
  const running = await insertAction(owner, where, { status: 'EXECUTING', created_at: now });
  const keyed = await insertAction(owner, where, { idempotency_key: 'once', idempotency_hash: Buffer.alloc(32), created_at: now });
  await owner.query(
    `insert into idempotency_keys (organization_id, principal_id, operation, key, request_hash, status, body)
     values ('org_a', 'usr_1', 'createPolicy', 'once', '\\x00', 201, '{}')`,
  );
  await owner.query("insert into counters (organization_id, counter, total) values ('org_a', 'limit:x#calls', 1)");
  await owner.query(
    `insert into counter_uses (organization_id, counter, total, amount, used_at, kept_until)
     values ('org_a', 'limit:x#calls', 1, 1, now(), now() + interval '1 minute')`,
  );
  await owner.query(
    `insert into ended_agent_sessions (organization_id, agent_id, session_id, expires_at) values ('org_a', 'agt_1', 'ses_1', $1)`,
    [at(MINUTE)],
  );

  t.mock.timers.enable({ apis: ['Date'], now: now.getTime() + DAY + 60 * MINUTE });
  const identity = connectAs('svc_identity');
  const clock = await openDatabaseClock({ database: identity, skewMaxSeconds: 2 * 86_400, log });
  const deps: JobDeps = { database: connectAs('svc_app'), identity, log, clock: clock.now };
  for (const job of DATABASE_JOBS) await runJob(deps, job);
  clock.close();
  t.mock.timers.reset();

  const { rows } = await owner.query(
    `select (select status from approvals where id = $1) as approval, (select status from actions where id = $2) as running,
       (select idempotency_key from actions where id = $3) as key, (select count(*)::int from idempotency_keys) as keys,
       (select count(*)::int from counter_uses) as uses, (select count(*)::int from ended_agent_sessions) as ended`,
    [held.approvalId, running, keyed],
  );
  assert.deepEqual(rows, [{ approval: 'PENDING', running: 'EXECUTING', key: 'once', keys: 1, uses: 1, ended: 1 }]);
});

test('no job begins a round while the time is uncertain, and they continue afterwards', async () => {
  let isSure = false;
  let rounds = 0;
  const run = async (): Promise<void> => {
    rounds += 1;
  };
  const round = { name: 'test', everyMs: 5, run };
  const identity = connectAs('svc_identity');
  const deps: JobDeps = { database: identity, identity, log, clock: () => new Date(), isClockSure: async () => isSure };
  const jobs = startJobs(deps, [], [round]);
  await sleep(60);
  assert.equal(rounds, 0);
  isSure = true;
  for (const until = performance.now() + 60_000; rounds === 0 && performance.now() < until; ) await sleep(5);
  await jobs.stop();
  assert.ok(rounds > 0);
});
