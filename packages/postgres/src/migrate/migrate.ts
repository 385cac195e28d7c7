import pg from 'pg';
import type { EventAuthenticator } from '../connection/event-authenticator.ts';
import { AUTHENTICATES_EVENTS, adoptEvents } from './adopt-events.ts';
import { assertDurable } from './assert-durable.ts';
import { assertEncoding, assertKnown, assertOwnKey, assertRights } from './assert-usable.ts';
import { BINDS_CREDENTIALS, type BindCredential, bindCredentials } from './bind-credentials.ts';
import { carryRoles } from './carry-roles.ts';
import { DatabaseServerFault } from './database-server-fault.ts';
import { ensurePlatformKey } from './ensure-platform-key.ts';
import type { Installation } from './installation.ts';
import { addWrappedKey, type MadeKey } from './installation-keys.ts';
import { keepBuiltInRoles } from './keep-built-in-roles.ts';
import { letOwnerErase } from './let-owner-erase.ts';
import { letOwnerRead } from './let-owner-read.ts';
import { lockTables } from './lock-tables.ts';
import { type FoundDatabase, lookAtDatabase } from './look-at-database.ts';
import { provideRoles } from './provide-roles.ts';
import { forInstallation, type Migration, readMigrations } from './read-migrations.ts';

/** A fixed number, so that two migrators of one database wait for each other. */
const MIGRATION_LOCK = 7_201_130_113;

const KEPT = `
  create table if not exists schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now());
  create table if not exists installation (id text primary key, key_check text not null, created_at timestamptz not null default now());
  comment on table installation is 'Single row: the id that the names of the database roles are derived from, and the check value of the master key.'`;

export type MigrationStep = {
  readonly client: pg.ClientBase;
  readonly ownerUrl: string;
  readonly installation: Installation;
  readonly found: FoundDatabase;
};

/** Creates the two tables that migrations require in addition to the roles. */
const layGround = async ({ client, installation, found }: MigrationStep): Promise<void> => {
  if (found.installation !== undefined) return;
  await client.query(KEPT);
  if (found.applied.size > 0) await carryRoles(client, installation);
  await client.query('insert into installation (id, key_check) values ($1, $2)', [installation.id, installation.keyCheck]);
};

const apply = async ({ client, installation, found }: MigrationStep, { name, text, checksum }: Migration): Promise<void> => {
  try {
    await client.query(forInstallation(text, installation));
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    const before = [...found.applied.keys()].sort().at(-1);
    const left = before === undefined ? 'empty, as it was' : `as it was after ${before}, and the previous version can still use it`;
    throw new DatabaseServerFault(
      `The migration ${name} could not be applied (${error.message}), and the upgrade was rolled back: the database is ${left}. Fix the problem, then start again.`,
    );
  }
  await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
};

/** Applies the files that the database has not run yet, inside the caller's transaction; returns their names. */
export const applyAll = async (step: MigrationStep, migrations: readonly Migration[]): Promise<string[]> => {
  const pending = migrations.filter(({ name }) => !step.found.applied.has(name));
  await provideRoles(step.client, step.ownerUrl, step.installation);
  if (pending.length > 0) await lockTables(step.client);
  await layGround(step);
  for (const migration of pending) await apply(step, migration);
  await letOwnerRead(step.client);
  await letOwnerErase(step.client);
  return pending.map(({ name }) => name);
};

/**
 * Runs `work` in one transaction of the owner, serialized with other schema changes. If it throws,
 * everything is rolled back.
 */
export const asOwner = async <Result>(ownerUrl: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> => {
  const client = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: 10_000, application_name: 'svc owner' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await assertDurable(client, { shared: true });
    await client.query('begin isolation level read committed; set local search_path to public; set local datestyle to iso');
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const result = await work(client);
    await client.query('commit');
    return result;
  } finally {
    await client.end();
  }
};

export type Bringing = {
  /** Kept in a database that was empty. */
  readonly made?: MadeKey | undefined;
  /** Seals what was stored before a version that seals it for more. */
  readonly bind?: BindCredential;
  /** Authenticates what was not sealed before a version that wants it of every event. */
  readonly authenticator?: EventAuthenticator;
};

export type Brought = {
  readonly applied: string[];
  /** The id of a new signing key; undefined if one was in use. */
  readonly platformKey: string | undefined;
};

/**
 * Migrates the database to this version, forward only and completely or not at all. Any obstacle is found before anything is
 * changed, and is a DatabaseServerFault. Needs the owner's connection; the planes never get it.
 */
export const migrate = (ownerUrl: string, installation: Installation, { made, bind, authenticator }: Bringing = {}): Promise<Brought> =>
  asOwner(ownerUrl, async (client) => {
    const found = await lookAtDatabase(client);
    const migrations = await readMigrations();
    assertKnown(found, migrations);
    await assertOwnKey(client, found, installation);
    await assertEncoding(client, found);
    await assertRights(client, installation);
    const applied = await applyAll({ client, ownerUrl, installation, found }, migrations);
    if (bind !== undefined && applied.includes(BINDS_CREDENTIALS)) await bindCredentials(client, bind);
    if (authenticator !== undefined && applied.includes(AUTHENTICATES_EVENTS)) await adoptEvents(client, authenticator);
    await keepBuiltInRoles(client);
    const platformKey = await ensurePlatformKey(client, installation);
    if (made !== undefined && found.applied.size === 0) await addWrappedKey(client, made, made);
    return { applied, platformKey };
  });

/** Returns true if an installation has set up the database already. Changes nothing. */
export const isSetUp = (ownerUrl: string): Promise<boolean> =>
  asOwner(ownerUrl, async (client) => (await lookAtDatabase(client)).applied.size > 0);
