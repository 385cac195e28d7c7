import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { DATABASE_ROLES, type DatabaseRole } from './connect.ts';
import { assertDurable } from './server/assert-durable.ts';

const FOLDER = new URL('../migrations/', import.meta.url);

/** One fixed number, so that two migrators of one database wait for each other. */
const MIGRATION_LOCK = 7_201_130_113;

/** Creates the roles the planes log in as, or gives existing ones the password of this installation. */
const ensureRoles = async (client: pg.Client, passwordOf: (role: DatabaseRole) => string) => {
  for (const role of DATABASE_ROLES) {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
    const verb = rowCount ? 'alter' : 'create';
    await client.query(
      `${verb} role ${role} login nosuperuser nobypassrls nocreatedb nocreaterole password ${pg.escapeLiteral(passwordOf(role))}`,
    );
  }
  const { rows } = await client.query<{ current_database: string }>('select current_database()');
  const database = pg.escapeIdentifier(rows[0]?.current_database ?? 'postgres');
  await client.query(`revoke all on schema public from public; grant usage on schema public to ${DATABASE_ROLES.join(', ')};
    grant connect on database ${database} to ${DATABASE_ROLES.join(', ')}`);
};

const applyFile = async (client: pg.Client, name: string, text: string, checksum: string) => {
  await client.query('begin');
  await client.query(text);
  await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
  await client.query('commit');
};

type Migration = { readonly name: string; readonly text: string; readonly checksum: string };

const readMigrations = async (): Promise<Migration[]> => {
  const names = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).sort();
  return await Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, FOLDER), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
};

/** A database of a newer version, or one built with other files, is left untouched. */
const assertKnown = (applied: ReadonlyMap<string, string>, migrations: readonly Migration[]): void => {
  const checksums = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  for (const [name, checksum] of applied) {
    if (!checksums.has(name)) throw new Error(`the database is of a newer version (it has ${name}); start that version again`);
    if (checksums.get(name) !== checksum)
      throw new Error(`the migration ${name} differs from the one this database was built with; restore the file, or use a fresh database`);
  }
};

const applyPending = async (client: pg.Client): Promise<string[]> => {
  await client.query(
    'create table if not exists schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
  );
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from schema_migrations');
  const done = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  const migrations = await readMigrations();
  assertKnown(done, migrations);
  const pending = migrations.filter(({ name }) => !done.has(name));
  for (const { name, text, checksum } of pending) await applyFile(client, name, text, checksum);
  return pending.map(({ name }) => name);
};

/** Brings the database to this version, forward only. Needs the owner's connection; the planes never get it. */
export const migrate = async (ownerUrl: string, passwordOf: (role: DatabaseRole) => string): Promise<{ applied: string[] }> => {
  const client = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await assertDurable(client);
    await ensureRoles(client, passwordOf);
    return { applied: await applyPending(client) };
  } finally {
    await client.end();
  }
};
