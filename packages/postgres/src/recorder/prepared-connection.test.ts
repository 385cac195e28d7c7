import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import type pg from 'pg';
import { openPreparedConnection, type PreparedConnection } from './prepared-connection.ts';

let database: FreshDatabase;
let owner: pg.Client;
let connection: PreparedConnection;
before(async () => {
  database = await createFreshDatabase();
  owner = await database.client();
  const login = testLogin('svc_recorder');
  connection = openPreparedConnection({ url: database.url, role: 'svc_recorder', ...login, connectionsMax: 1, timeoutMs: 10_000 });
});
after(async () => {
  await connection.close();
  await owner.end();
  await database.drop();
});

const COUNT = { name: 'count', text: 'select cardinality($1::kept_row[]) as count' };

test('fails one statement after a type was recreated, as by a restore in place, and none after it', async () => {
  const make = (): Promise<unknown> => owner.query('create type kept_row as (id text)');
  await make();
  assert.deepEqual(await connection.run(COUNT, ['{}']), [{ count: 0 }]);
  await owner.query('drop type kept_row');
  await make();
  await assert.rejects(connection.run(COUNT, ['{}']));
  assert.deepEqual(await connection.run(COUNT, ['{}']), [{ count: 0 }]);
});

test('leaves the connection usable after a statement that fails by its values', async () => {
  const backend = { name: 'backend', text: 'select pg_backend_pid() as pid' };
  const [mine] = await connection.run<{ pid: number }>(backend, []);
  await assert.rejects(connection.run({ name: 'json', text: 'select $1::json' }, ['{']), { code: '22P02' });
  assert.deepEqual(await connection.run(backend, []), [mine]);
});
