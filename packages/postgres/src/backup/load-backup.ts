import pg from 'pg';
import type { EventAuthenticator } from '../connection/event-authenticator.ts';
import { AUTHENTICATES_EVENTS, adoptEvents } from '../migrate/adopt-events.ts';
import { assertEncoding, assertKnown, assertRights } from '../migrate/assert-usable.ts';
import { DatabaseServerFault } from '../migrate/database-server-fault.ts';
import type { Installation } from '../migrate/installation.ts';
import { type KeptKeys, loadKeptKeys } from '../migrate/installation-keys.ts';
import { keepBuiltInRoles } from '../migrate/keep-built-in-roles.ts';
import { lookAtDatabase } from '../migrate/look-at-database.ts';
import { applyAll, asOwner } from '../migrate/migrate.ts';
import { readMigrations } from '../migrate/read-migrations.ts';
import { type BackupHead, type BackupPart, SAME_TEXTS } from './backup-part.ts';
import { openTables } from './open-tables.ts';

const assertEmpty = (applied: ReadonlyMap<string, string>): void => {
  if (applied.size === 0) return;
  throw new DatabaseServerFault(
    'The database to restore into is not empty and was not changed. Restore into an empty database or, for the embedded database, a new DATA_DIR.',
  );
};

/** Returns the keys of a backup in the form of a database. */
export const readBackupKeys = ({ installation: { keys = [], ...installation } }: BackupHead): KeptKeys => ({
  state: keys.length === 0 ? 'direct' : 'wrapped',
  keys: keys.map((each) => ({ ...each, wrapped: each.wrapped === undefined ? undefined : Buffer.from(each.wrapped, 'base64') })),
  installation,
});

/** The sentence for a master key that does not open a backup. */
export const notOfThisKey = ({ installation: { id } }: BackupHead): string =>
  `The master key does not match this backup (installation ${id}), and nothing was restored. Set SVC_MASTER_KEY to the master key of the backup, or save it as master.key in DATA_DIR.`;

/** A backup is of one installation, and its master key is not in it. */
export const assertSameKey = (head: BackupHead, installation: Installation): void => {
  if (head.installation.key_check !== installation.keyCheck) throw new DatabaseServerFault(notOfThisKey(head));
};

/** Transactions of another server mean nothing here, and may be far ahead of those to come: what they wrote is of before any. */
const TARGET = `
  select array_agg(a.attname::text order by a.attnum) as columns,
         format('insert into %1$s (%2$s) overriding system value select %3$s from unnest($1::%1$s[]) as whole_row', c.oid::regclass,
           string_agg(quote_ident(a.attname), ', ' order by a.attnum) filter (where a.attgenerated = ''),
           string_agg(case when a.atttypid = 'xid8'::regtype then '''0''' else quote_ident(a.attname) end, ', ' order by a.attnum)
             filter (where a.attgenerated = '')) as insert
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname = $1 group by c.oid`;

/** Returns how to insert rows into a table; undefined if the database has none of that name and columns. */
const readTarget = async (
  client: pg.ClientBase,
  { name, columns }: { name: string; columns: readonly string[] },
): Promise<string | undefined> => {
  const { rows } = await client.query<{ columns: string[]; insert: string }>(TARGET, [name]);
  const [target] = rows;
  return target !== undefined && target.columns.join(' ') === columns.join(' ') ? target.insert : undefined;
};

const load = async (client: pg.ClientBase, parts: AsyncIterable<BackupPart>): Promise<void> => {
  let insert: string | undefined;
  for await (const part of parts) {
    if (part.kind === 'table') {
      insert = await readTarget(client, part);
      if (insert === undefined)
        throw new DatabaseServerFault(
          `This release has no matching table "${part.name}" for the backup. Restore with the release that created the backup.`,
        );
    } else if (part.kind === 'rows' && insert !== undefined) {
      await client.query(insert, [part.rows]);
    } else if (part.kind === 'sequence') {
      await client.query('select setval(quote_ident($1)::regclass, $2, $3)', [part.name, part.last_value, part.is_called]);
    }
  }
};

/**
 * Restores a backup into an empty database, completely or not at all: applies its migrations, inserts the rows, and migrates it to this
 * version.
 * Any obstacle is found first, and is a DatabaseServerFault.
 */
export const loadBackup = async (
  ownerUrl: string,
  installation: Installation,
  head: BackupHead,
  parts: AsyncIterable<BackupPart>,
  authenticator: EventAuthenticator,
): Promise<void> => {
  assertSameKey(head, installation);
  const migrations = await readMigrations();
  const applied = new Map(head.migrations.map(({ name, checksum }) => [name, checksum]));
  const carried = { installation: head.installation, applied };
  assertKnown(carried, migrations);
  await asOwner(ownerUrl, async (client) => {
    const found = await lookAtDatabase(client);
    assertEmpty(found.applied);
    await assertEncoding(client, found);
    await assertRights(client, installation);
    const step = { client, ownerUrl, installation };
    await applyAll(
      { ...step, found },
      migrations.filter(({ name }) => applied.has(name)),
    );
    const close = await openTables(client);
    await client.query(SAME_TEXTS);
    await load(client, parts);
    await close();
    await applyAll({ ...step, found: carried }, migrations);
    if (!applied.has(AUTHENTICATES_EVENTS)) await adoptEvents(client, authenticator);
    await loadKeptKeys(client, readBackupKeys(head).keys);
    await keepBuiltInRoles(client);
  });
  const client = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  // Without it the first questions were planned for empty tables.
  await client.query('analyze').finally(() => client.end());
};
