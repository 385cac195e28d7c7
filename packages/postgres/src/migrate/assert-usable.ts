import type pg from 'pg';
import { DATABASE_ROLES } from '../connection/connect.ts';
import type { PlatformKeyRow } from '../service/platform-keys.ts';
import { DatabaseServerFault } from './database-server-fault.ts';
import type { Installation } from './installation.ts';
import type { FoundDatabase } from './look-at-database.ts';
import { isSame, type Migration } from './read-migrations.ts';

/** The oldest PostgreSQL that this is tested with. */
const SERVER_MIN = 15;

/** A database of a newer version, or one built with other files, is left untouched. */
export const assertKnown = ({ applied }: FoundDatabase, migrations: readonly Migration[]): void => {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const [name, checksum] of applied) {
    const migration = known.get(name);
    if (migration === undefined)
      throw new DatabaseServerFault(`The database has the schema of a newer version (${name}). Start that version.`);
    if (!isSame(migration, checksum))
      throw new DatabaseServerFault(
        `The migration ${name} differs from the one that was applied to this database. Use the release that created the database, or an empty database.`,
      );
  }
};

const sealedKey = async (client: pg.ClientBase, { applied }: FoundDatabase): Promise<PlatformKeyRow | undefined> => {
  if (applied.size === 0) return undefined;
  const { rows } = await client.query<PlatformKeyRow>(
    `select key_id as kid, public_key, private_key_sealed as sealed_private_key from public.platform_keys
      where retired_at is null order by created_at desc limit 1`,
  );
  return rows[0];
};

/** Another master key would take the planes that run with the right one out of the database. */
export const assertOwnKey = async (client: pg.ClientBase, found: FoundDatabase, installation: Installation): Promise<void> => {
  const { id, key_check } = found.installation ?? {};
  const sealed = id === undefined ? await sealedKey(client, found) : undefined;
  const isOwn = id === undefined ? sealed === undefined || installation.opens(sealed) : key_check === installation.keyCheck;
  if (isOwn) return;
  throw new DatabaseServerFault(
    `The master key does not match this database${id === undefined ? '' : ` (installation ${id})`}, and nothing was changed. Start with the master key that the database was set up with, in SVC_MASTER_KEY or as master.key in DATA_DIR. Without it the secrets in this database cannot be opened.`,
  );
};

/**
 * A text of one organization that the database cannot write would fail a statement that holds decisions of others. Asked of an empty database
 * alone: what is in one of another encoding was written, and goes on.
 */
export const assertEncoding = async (client: pg.ClientBase, { applied }: FoundDatabase): Promise<void> => {
  if (applied.size > 0) return;
  const { rows } = await client.query<{ encoding: string; name: string }>(
    'select getdatabaseencoding() as encoding, current_database() as name',
  );
  const [found] = rows;
  if (found === undefined || found.encoding === 'UTF8') return;
  throw new DatabaseServerFault(
    `The encoding ${found.encoding} of the database "${found.name}" does not support all text. Create another database with "create database ${found.name}_utf8 encoding 'UTF8' template template0", and use that one; nothing was changed.`,
  );
};

type Rights = {
  readonly user: string;
  readonly version: number;
  readonly database: string;
  readonly may_create_roles: boolean;
  readonly may_create_tables: boolean;
};

/** Checks the privileges of the owner for the remaining work in advance, since a managed server would fail late and half way. */
export const assertRights = async (client: pg.ClientBase, installation: Installation): Promise<void> => {
  const { rows } = await client.query<Rights>(
    `select current_user as "user", current_setting('server_version_num')::int / 10000 as version, current_database() as database,
            r.rolsuper or r.rolcreaterole or (select count(*) from pg_roles where rolname = any ($1)) = cardinality($1) as may_create_roles,
            coalesce(has_schema_privilege(to_regnamespace('public')::oid, 'create'), false) as may_create_tables
       from pg_roles r where r.rolname = current_user`,
    [DATABASE_ROLES.map((role) => installation.loginOf(role).user)],
  );
  const [rights] = rows;
  if (rights === undefined) throw new Error('the server does not know who asks');
  const { user, version, database } = rights;
  if (version < SERVER_MIN)
    throw new DatabaseServerFault(`The database server is PostgreSQL ${version}, but the minimum is ${SERVER_MIN}. Nothing was changed.`);
  if (!rights.may_create_roles)
    throw new DatabaseServerFault(
      `The user "${user}" is not allowed to create roles, which the planes need to log in. Grant it with "alter role ${user} createrole"; nothing was changed.`,
    );
  if (!rights.may_create_tables)
    throw new DatabaseServerFault(
      `The user "${user}" is not allowed to create tables in the schema public of "${database}". Make it the owner with "alter database ${database} owner to ${user}"; nothing was changed.`,
    );
};
