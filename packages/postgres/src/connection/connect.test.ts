import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { testLogin } from '@svc/testing/database/master-key.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import { sql } from 'kysely';
import type pg from 'pg';
import { askDatabase } from './ask-database.ts';
import { clientConfig, connect, type Database } from './connect.ts';
import { isUnavailable } from './is-unavailable.ts';

let fresh: FreshDatabase;
let owner: pg.Client;
let database: Database;
before(async () => {
  fresh = await createFreshDatabase();
  owner = await fresh.client();
  const login = testLogin('svc_app');
  database = connect({ url: fresh.url, role: 'svc_app', ...login, connectionsMax: 1, timeoutMs: 1_000 });
});
after(async () => {
  await Promise.all([database.destroy(), owner.end()]);
  await fresh.drop();
});

const ask = async (on: Database): Promise<number> => {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(on);
  return rows[0]?.pid ?? 0;
};
const endConnection = (pid: number) => owner.query('select pg_terminate_backend($1, 5000)', [pid]);

describe('a connection that the server ends', () => {
  test('between two statements of a transaction fails only the transaction', async () => {
    const work = database.transaction().execute(async (tx) => {
      await endConnection(await ask(tx));
      await sleep(50);
      return await ask(tx);
    });
    await assert.rejects(work, isUnavailable);
    assert.ok(await ask(database));
  });

  test('during a statement fails only that statement', async () => {
    const pid = await ask(database);
    const work = sql`select pg_sleep(5)`.execute(database);
    const ended = waitUntil('it sleeps', async () => {
      const { rowCount } = await owner.query("select from pg_stat_activity where pid = $1 and wait_event = 'PgSleep'", [pid]);
      return rowCount === 1;
    }).then(() => endConnection(pid));
    await Promise.all([assert.rejects(work, isUnavailable), ended]);
    assert.notEqual(await ask(database), pid);
  });

  test('while idle is replaced at the next use', async () => {
    const pid = await ask(database);
    await endConnection(pid);
    await sleep(50);
    assert.notEqual(await ask(database), pid);
  });
});

test('verifies the certificate against the named authority for an address that requires encryption', () => {
  const ssl = (asked: string) =>
    clientConfig({
      url: `postgres://db.example/records${asked}`,
      role: 'svc_app',
      user: 'u',
      password: 'p',
      connectionsMax: 1,
      timeoutMs: 1_000,
    }).ssl;
  const authority = import.meta.filename;
  assert.deepEqual(
    [
      '',
      '?sslmode=disable',
      '?sslmode=require',
      '?sslmode=no-verify',
      `?sslmode=verify-full&sslrootcert=${encodeURIComponent(authority)}`,
    ].map(ssl),
    [false, false, {}, { rejectUnauthorized: false }, { ca: readFileSync(authority, 'utf8') }],
  );
});

test("reads an address like the owner's connection: an IPv6 address, a socket, and no database", () => {
  const read = (url: string) => {
    const { host, port, database } = clientConfig({ url, role: 'svc_app', user: 'u', password: 'p', connectionsMax: 1, timeoutMs: 1_000 });
    return [host, port, database];
  };
  assert.deepEqual(read('postgres://o:p@[::1]:99/records'), ['::1', 99, 'records']);
  assert.deepEqual(read('postgres://@/records?host=/run/db&port=77'), ['/run/db', 77, 'records']);
  assert.deepEqual(read('postgres://owner@db.example'), ['db.example', 5432, 'owner']);
});

test('pins time formats, visibility after a lock and the schema against settings of the database', async () => {
  const other = await createFreshDatabase();
  const client = await other.client();
  for (const setting of [
    "datestyle = 'German'",
    "timezone = 'Asia/Tokyo'",
    "default_transaction_isolation = 'serializable'",
    'search_path = elsewhere',
  ])
    await client.query(`do $$ begin execute format('alter database %I set ${setting.replaceAll("'", "''")}', current_database()); end $$`);
  await client.end();
  const asApp = connect({ url: other.url, role: 'svc_app', ...testLogin('svc_app'), connectionsMax: 1, timeoutMs: 20_000 });
  const { rows } = await sql`
    select '2026-11-12 10:00:00.5+00'::timestamptz as at, current_setting('transaction_isolation') as isolation,
           to_regclass('organizations') is not null as is_there`.execute(asApp);
  assert.deepEqual(rows, [{ at: '2026-11-12T10:00:00.500Z', isolation: 'read committed', is_there: true }]);
  await asApp.destroy();
  await other.drop();
});

test('treats a database that accepts no writes as unavailable', async () => {
  const other = await createFreshDatabase();
  const client = await other.client();
  const asApp = () => connect({ url: other.url, role: 'svc_app', ...testLogin('svc_app'), connectionsMax: 1, timeoutMs: 20_000 });
  const before = asApp();
  await askDatabase(before);
  await before.destroy();
  await client.query("do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$");
  await client.end();
  const standby = asApp();
  await assert.rejects(askDatabase(standby), /is read-only/);
  await standby.destroy();
  await other.drop();
});

test('takes one timeout for a server that stops responding in a transaction, and no other for the rollback', async () => {
  const patient = connect({ url: fresh.url, role: 'svc_app', ...testLogin('svc_app'), connectionsMax: 1, timeoutMs: 2_500 });
  let pid = 0;
  const work = patient.transaction().execute(async (tx) => {
    pid = await ask(tx);
    process.kill(pid, 'SIGSTOP');
    return await ask(tx);
  });
  const startedAt = performance.now();
  await assert.rejects(work, isUnavailable);
  const tookMs = performance.now() - startedAt;
  process.kill(pid, 'SIGCONT');
  assert.ok(tookMs < 4_900, `${Math.round(tookMs)} ms`);
  assert.notEqual(await ask(patient), pid);
  await patient.destroy();
});
