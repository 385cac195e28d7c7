import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { deriveInstallation } from '@svc/keyring/sealed/installation.ts';
import { newMasterKey, readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import { HOLDS_FORMER } from '@svc/operations/service/keys/holds-former.ts';
import { migrate } from '@svc/postgres/migrate/migrate.ts';
import type { FreshDatabase } from '@svc/testing/database/database.ts';
import { type ManagedServer, SERVER_KINDS } from '@svc/testing/database/managed-server.ts';
import { getPersonsEnvironment } from '@svc/testing/processes/launch-service.ts';
import { insertSealed } from '@svc/testing/records/insert-sealed-columns.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';
import { migrateDatabase, openDatabase } from '../../database/prepare-database.ts';

const root = path.resolve(import.meta.dirname, '../../../../..');
const home = mkdtempSync(path.join(tmpdir(), 'svc-broken-off-'));
const file = path.join(home, 'master.key');
const program = path.join(root, 'apps/launcher/src/admin.ts');

let server: ManagedServer;
let database: FreshDatabase;
let admin: pg.Client;
let holder: pg.Client;

const findKey = (text: string) => {
  const read = readMasterKey(text);
  assert.ok(read.ok);
  return read.key;
};

const whereabouts = () => ({ cwd: root, env: getPersonsEnvironment({ DATA_DIR: home, DATABASE_URL: database.url }) });

/** Does what a start does to the database before any plane is running. */
const start = async () =>
  migrateDatabase(await openDatabase('/nowhere', database.url, () => {}), { kind: 'KEY', key: findKey(readFileSync(file, 'utf8').trim()) });

const readFiles = async (): Promise<readonly string[]> =>
  (
    await admin.query<{ file: string }>('select pg_relation_filenode(name)::text as file from unnest($1::text[]) name', [HOLDS_FORMER])
  ).rows.map((row) => row.file);

const mark = async (): Promise<string | null | undefined> =>
  (await admin.query<{ mark: string | null }>('select former_since::text as mark from installation')).rows[0]?.mark;

const WAITING = "datname = current_database() and query like 'vacuum (full)%' and wait_event_type = 'Lock'";

/** True if a session waits to rewrite a locked table. */
const waits = async (): Promise<boolean> => (await admin.query(`select from pg_stat_activity where ${WAITING}`)).rowCount === 1;

/** A server does not notice at once that its client is dead. */
const endWaiting = async (): Promise<void> => {
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${WAITING}`);
  await waitUntil('nobody waits any more', async () => !(await waits()));
};

const hold = async (): Promise<void> => {
  await holder.query(`begin; lock table ${HOLDS_FORMER[0]} in access share mode`);
};

/** Asserts that a start skips a locked table and continues; later one start does the work, and the next has nothing to do. */
const assertTheNextStartForgets = async (before: readonly string[]): Promise<void> => {
  const left = await mark();
  assert.ok(left);
  assert.match((await start()).unforgotten ?? '', /may still hold what a former master key opens.*rewrap --finish/);
  assert.equal(await mark(), left);
  assert.deepEqual(await readFiles(), before, 'nothing is written anew yet');
  await holder.query('commit');
  assert.equal((await start()).unforgotten, undefined);
  const anew = await readFiles();
  for (const [at, former] of before.entries()) assert.notEqual(anew[at], former, HOLDS_FORMER[at]);
  assert.equal(await mark(), null);
  assert.equal((await start()).unforgotten, undefined);
  assert.deepEqual(await readFiles(), anew);
};

before(async () => {
  server = await (SERVER_KINDS[0] ?? assert.fail()).start();
  database = await server.newDatabase();
  const first = newMasterKey();
  await migrate(database.url, deriveInstallation(findKey(first)));
  [admin, holder] = [
    await server.asSuperuser(new URL(database.url).pathname.slice(1)),
    await server.asSuperuser(new URL(database.url).pathname.slice(1)),
  ];
  await insertSealed(admin, findKey(first), 3);
  writeFileSync(file, `${first}\n`, { mode: 0o600 });
});
after(async () => {
  await holder?.end();
  await admin?.end();
  await server?.remove();
  rmSync(home, { recursive: true, force: true });
});

test('the next start completes one that died before the files dropped what the original master key sealed', async () => {
  const before = await readFiles();
  await hold();
  const broken = assert.rejects(start());
  await waitUntil('the files are to be written anew', waits);
  await endWaiting();
  await broken;
  await assertTheNextStartForgets(before);
});

test('the next start completes a change that was killed before the files dropped what the previous master key opens', async () => {
  const before = await readFiles();
  await hold();
  const child = spawn(process.execPath, [program, 'rewrap', '--reason', 'Somebody left.'], { ...whereabouts(), stdio: 'ignore' });
  const ended = once(child, 'exit');
  await waitUntil('the files are to be written anew', waits);
  child.kill('SIGKILL');
  await ended;
  await endWaiting();
  await assertTheNextStartForgets(before);
});

test('a change of the master key is refused for a database of an older version, with the required steps', async () => {
  await admin.query('alter table installation drop column former_since');
  const before = await admin.query('select * from installation_keys order by id');
  for (const words of [['--reason', 'Too early.'], ['--finish']]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'rewrap', ...words], { ...whereabouts(), encoding: 'utf8' });
    assert.equal(status, 1);
    assert.match(stdout + stderr, /has an older version .* Nothing was changed\. Start this version once with npm start/);
  }
  assert.deepEqual((await admin.query('select * from installation_keys order by id')).rows, before.rows);
});
