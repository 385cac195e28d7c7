import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { connectAsOwner } from '@svc/testing/database/database.ts';
import { type ManagedServer, SERVER_KINDS } from '@svc/testing/database/managed-server.ts';
import { TEST_INSTALLATION, testRole } from '@svc/testing/database/master-key.ts';
import type pg from 'pg';
import { DATABASE_ROLES } from '../connection/connect.ts';
import { lookAtDatabase } from './look-at-database.ts';
import { applyAll, asOwner, migrate } from './migrate.ts';
import { type Migration, readMigrations } from './read-migrations.ts';

let server: ManagedServer;
let admin: pg.Client;
before(async () => {
  server = await (SERVER_KINDS[0] ?? assert.fail()).start();
  admin = await server.asSuperuser();
});
after(async () => {
  await admin.end();
  await server.remove();
});

/** The seventh file as it was when only a superuser could run it. */
const former = ({ name, text, checksum }: Migration): Migration => {
  if (!name.startsWith('0007')) return { name, text, checksum };
  const head = 'create function svc_delegation_placed() returns trigger language plpgsql ';
  const before = text.replace(`${head}as`, `${head}set svc.workspace_id = '' set svc.environment_id = '' as`);
  return { name, text: before, checksum: createHash('sha256').update(before).digest('hex') };
};

/** A database as the version before left it: roles of the whole server, and no word of an installation. */
const oldDatabase = async (): Promise<{ readonly url: string; readonly client: pg.Client }> => {
  const name = `old_${randomBytes(4).toString('hex')}`;
  await admin.query(`create database ${name}`);
  for (const role of DATABASE_ROLES)
    await admin.query(`do $$ begin create role ${role} login password 'x'; exception when duplicate_object then null; end $$`);
  const url = server.superuserUrl(name);
  const client = await connectAsOwner(url);
  await client.query(`revoke all on schema public from public; grant usage on schema public to ${DATABASE_ROLES.join(', ')};
    grant connect on database ${name} to ${DATABASE_ROLES.join(', ')};
    create table schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
  for (const migration of (await readMigrations()).filter((each) => each.name < '0020').map(former)) {
    await client.query(migration.text);
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [migration.name, migration.checksum]);
  }
  return { url, client };
};

/** Returns privileges by role, with the installation removed from the names. */
const rights = async (client: pg.Client): Promise<readonly string[]> => {
  const { rows } = await client.query<{ line: string }>(
    `select format('%s %s %s %s', c.relname, a.attname, r.rolname, e.privilege_type) as line
       from pg_class c join pg_attribute a on a.attrelid = c.oid, aclexplode(a.attacl) e join pg_roles r on r.oid = e.grantee
     union all select format('%s %s %s', c.relname, r.rolname, e.privilege_type)
       from pg_class c, aclexplode(c.relacl) e join pg_roles r on r.oid = e.grantee where c.relnamespace = 'public'::regnamespace and r.rolname like 'svc%'
     union all select format('%s %s %s', n.nspname, r.rolname, e.privilege_type)
       from pg_namespace n, aclexplode(n.nspacl) e join pg_roles r on r.oid = e.grantee where r.rolname like 'svc%'
     union all select format('%s %s %s %s %s', tablename, policyname, (select array_agg(x order by x) from unnest(roles) x), qual, with_check)
       from pg_policies where policyname not in ('read_by_the_owner', 'erased_by_the_owner')
     union all select format('%s %s', proname, proconfig) from pg_proc where pronamespace = 'public'::regnamespace
     order by 1`,
  );
  return rows.map(({ line }) => line);
};

test('transfers a database of the previous version to its own roles, with exactly the same privileges', async () => {
  const { url, client } = await oldDatabase();
  await migrate(url, TEST_INSTALLATION);
  const fresh = await server.newDatabase();
  await migrate(fresh.url, TEST_INSTALLATION);
  const other = await fresh.client();
  assert.deepEqual(await rights(client), await rights(other));
  const { rows } = await client.query("select rolname from pg_roles where rolname like 'svc%' order by 1");
  assert.deepEqual(
    rows.map(({ rolname }) => rolname),
    DATABASE_ROLES.map(testRole).sort(),
  );
  assert.deepEqual(await migrate(url, TEST_INSTALLATION), { applied: [], platformKey: undefined });
  await Promise.all([client.end(), other.end()]);
});

test('keeps the roles of another database of that version until its own transfer', async () => {
  const [first, second] = [await oldDatabase(), await oldDatabase()];
  const before = await rights(second.client);
  await migrate(first.url, TEST_INSTALLATION);
  assert.deepEqual(await rights(second.client), before);
  const { rows } = await admin.query('select count(*)::int as n from pg_roles where rolname = any ($1)', [DATABASE_ROLES]);
  assert.deepEqual(rows, [{ n: DATABASE_ROLES.length }]);
  await Promise.all([first.client.end(), second.client.end()]);
});

test('refuses the transfer with another master key than the one that sealed in it', async () => {
  const { url, client } = await oldDatabase();
  await client.query("insert into platform_keys (key_id, public_key, private_key_sealed) values ('kid', 'public', 'sealed')");
  const sealedBy = (mine: boolean) => ({ ...TEST_INSTALLATION, opens: ({ kid }: { readonly kid: string }) => mine && kid === 'kid' });
  const before = await rights(client);
  await assert.rejects(migrate(url, sealedBy(false)), /The master key does not match this database, and nothing was changed/);
  assert.deepEqual(await rights(client), before);
  assert.ok((await migrate(url, sealedBy(true))).applied.length > 0);
  await client.end();
});

const applyThese = (url: string, migrations: readonly Migration[]) =>
  asOwner(url, async (client) =>
    applyAll({ client, ownerUrl: url, installation: TEST_INSTALLATION, found: await lookAtDatabase(client) }, migrations),
  );

test('leaves the database unchanged after a failed migration, and states which, why, and the remedy', async () => {
  const migrations = await readMigrations();
  const empty = await server.newDatabase();
  await assert.rejects(
    applyThese(empty.url, migrations.map(former)),
    /^DatabaseServerFault: The migration 0007_delegations\.sql could not be applied \(permission denied to set parameter "svc\.workspace_id"\), and the upgrade was rolled back: the database is empty, as it was\. Fix the problem, then start again\.$/,
  );
  const client = await empty.client();
  assert.deepEqual((await lookAtDatabase(client)).applied, new Map());
  assert.deepEqual((await client.query("select from pg_class where relnamespace = 'public'::regnamespace")).rows, []);
  await migrate(empty.url, TEST_INSTALLATION);
  const before = await rights(client);
  const broken = [
    { name: '9997_fine.sql', text: 'create table fine (n int)', checksum: 'x' },
    { name: '9998_broken.sql', text: 'create table half (n int); select 1 / 0', checksum: 'x' },
  ];
  await assert.rejects(
    applyThese(empty.url, [...migrations, ...broken]),
    /9998_broken\.sql could not be applied \(division by zero\).*as it was after 0\d+_/,
  );
  assert.deepEqual(await rights(client), before);
  assert.deepEqual((await client.query("select to_regclass('fine') as fine, to_regclass('half') as half")).rows, [
    { fine: null, half: null },
  ]);
  await client.end();
});

const FOREIGN = [
  'create table customers (id int)',
  'create schema shop',
  'create view numbers as select 1 as n',
  'create table schema_migrations (version text)',
  "create table schema_migrations (name text primary key, checksum text, applied_at timestamptz); insert into schema_migrations values ('001_init', 'x'); create table customers (id int)",
  'create function answer() returns int language sql as $$ select 42 $$',
];

test('refuses a database with other contents before changing it', async () => {
  for (const made of FOREIGN) {
    const { url } = await server.newDatabase();
    const name = new URL(url).pathname.slice(1);
    const inside = await server.asSuperuser(name);
    const owner = await connectAsOwner(url);
    await owner.query(made);
    await owner.end();
    // A database that every user of the server may use, as was usual before PostgreSQL 15.
    await inside.query('grant all on schema public to public');
    const state = async () => (await inside.query('select nspname, nspacl::text, xmin::text from pg_namespace order by 1')).rows;
    const [before, roles] = [await state(), (await admin.query('select rolname, xmin::text from pg_authid order by 1')).rows];
    await assert.rejects(
      migrate(url, TEST_INSTALLATION),
      new RegExp(`The database "${name}" contains other data \\(.*\\) and was not changed\\. Create an empty database`),
      made,
    );
    assert.deepEqual(await state(), before);
    assert.deepEqual((await admin.query('select rolname, xmin::text from pg_authid order by 1')).rows, roles);
    await inside.end();
  }
});

test('accepts the objects of extensions', async () => {
  const { url } = await server.newDatabase();
  const inside = await server.asSuperuser(new URL(url).pathname.slice(1));
  const { rows } = await inside.query<{ name: string }>(
    "select name from pg_available_extensions where name in ('pg_stat_statements', 'pgcrypto')",
  );
  for (const { name } of rows) await inside.query(`create extension ${name}`);
  await inside.end();
  assert.ok((await migrate(url, TEST_INSTALLATION)).applied.length > 0);
});

test('sets up a database once, for two concurrent starts', async () => {
  const { url } = await server.newDatabase();
  const started = await Promise.all([migrate(url, TEST_INSTALLATION), migrate(url, TEST_INSTALLATION)]);
  assert.deepEqual(started.map(({ applied }) => applied.length > 0).sort(), [false, true]);
});

test("ignores others' own settings on the server, and rejects a database setting that loses commits", async () => {
  const { url } = await server.newDatabase();
  await admin.query('create role somebody_else; alter role somebody_else set synchronous_commit = off');
  await migrate(url, TEST_INSTALLATION);
  await admin.query(`alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`);
  await assert.rejects(migrate(url, TEST_INSTALLATION), /may lose committed records in a crash/);
});

test('partitions existing events in place, with their privileges and policies, even after a clock far ahead', async () => {
  const { url } = await server.newDatabase();
  const migrations = await readMigrations();
  await applyThese(
    url,
    migrations.filter(({ name }) => name < '0073'),
  );
  const inside = await server.asSuperuser(new URL(url).pathname.slice(1));
  for (const id of ['evt_00000000000000000000000000', 'evt_01KA0000000000000000000000', 'evt_1', 'evt_7ZZZZZZZZZZZZZZZZZZZZZZZZZ'])
    await inside.query(
      `insert into audit_events (organization_id, id, type, occurred_at, actor_type, actor_id, subject_type, subject_id, severity, request_id, trace_id, data)
       values ('org_1', $1, 'action.allowed', now(), 'AGENT', 'agt_1', 'action', 'act_1', 'info', 'req_1', 't', '{}')`,
      [id],
    );
  const said = async () => {
    const { rows } = await inside.query('select id, transaction_id from audit_events order by id');
    const [file] = (
      await inside.query("select max(relfilenode::bigint) as file from pg_class where relname in ('audit_events', 'audit_events_first')")
    ).rows;
    // Not of what came into the table afterwards.
    const mine = (await rights(inside)).filter((line) => /^audit_events (?!leaf_hash |mac |audit_events_authenticated )/.test(line));
    return { rows, file, mine };
  };
  const before = await said();
  assert.ok(before.mine.length > 20);
  await applyThese(url, migrations);
  assert.deepEqual(await said(), before);
  const { rows } = await inside.query(
    'select tableoid::regclass::text as lies, count(*)::int as n from audit_events group by 1 order by 1',
  );
  assert.deepEqual(rows, [
    { lies: 'audit_events_default', n: 2 },
    { lies: 'audit_events_first', n: 2 },
  ]);
  await inside.end();
});
