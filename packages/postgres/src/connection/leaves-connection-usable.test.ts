import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { sql } from 'kysely';
import type pg from 'pg';
import { connect, type Database } from './connect.ts';

let fresh: FreshDatabase;
let owner: pg.Client;
let database: Database;
before(async () => {
  fresh = await createFreshDatabase();
  owner = await fresh.client();
  await owner.query('create table made_anew (id text)');
  await owner.query('grant select on made_anew to public');
  database = connect({ url: fresh.url, role: 'svc_app', ...testLogin('svc_app'), connectionsMax: 1, timeoutMs: 5_000 });
});
after(async () => {
  await database.destroy();
  await owner.end();
  await fresh.drop();
});

test('fails one statement of a pooled connection after a table was recreated, and none after it', async () => {
  const read = async () => (await sql`select * from made_anew where id is distinct from ${'x'}`.execute(database)).rows;
  for (let use = 0; use < 3; use += 1) assert.deepEqual(await read(), []);
  await owner.query('alter table made_anew add column name text');
  await assert.rejects(read(), { code: '0A000' });
  for (let use = 0; use < 3; use += 1) assert.deepEqual(await read(), []);
});
