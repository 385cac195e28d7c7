import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connect, type Database, type DatabaseRole } from '@svc/postgres/connection/connect.ts';
import { getMinIdForTime } from '@svc/program/ids/first-id-since.ts';
import { newLogger } from '@svc/program/log/new-logger.ts';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { insertAction } from '@svc/testing/records/insert-action.ts';
import type pg from 'pg';
import { runJob } from './job.ts';
import { recordUsage } from './record-usage.ts';

const NOW = new Date('2026-11-30T12:00:00Z');
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
});
after(async () => {
  await Promise.all(opened.map((database) => database.destroy()));
  await owner.end();
  await fresh.drop();
});

test('the decisions of each ended day are counted once, by organization', async () => {
  for (const [id, createdAt] of [
    ['org_a', '2026-11-28T10:00:00Z'],
    ['org_b', '2026-11-30T01:00:00Z'],
  ])
    await owner.query('insert into organizations (id, name, created_at) values ($1, $1, $2)', [id, createdAt]);
  const place = { organization_id: 'org_a', workspace_id: 'wsp_1', environment_id: 'env_1' };
  const times = ['2026-11-28T23:59:59.999Z', '2026-11-29T00:00:00Z', '2026-11-29T23:00:00Z', '2026-11-30T00:00:00Z'];
  for (const [index, time] of times.entries())
    await insertAction(owner, place, { id: `${getMinIdForTime('action', new Date(time)).slice(0, -1)}${index}` });
  const deps = {
    database: connectAs('svc_app'),
    identity: connectAs('svc_identity'),
    log: newLogger('test', 'silent', { write: () => {} }),
    clock: () => NOW,
  };
  for (let round = 0; round < 2; round += 1) await runJob(deps, recordUsage);
  const { rows } = await owner.query(
    `select organization_id, data from audit_events where type = 'usage.recorded' order by organization_id, data ->> 'day'`,
  );
  assert.deepEqual(rows, [
    { organization_id: 'org_a', data: { day: '2026-11-28', decisions: 1 } },
    { organization_id: 'org_a', data: { day: '2026-11-29', decisions: 2 } },
  ]);
});
