import pg from 'pg';
import { DatabaseServerFault } from '../migrate/database-server-fault.ts';
import { type KeptKeys, lookAtKeys } from '../migrate/installation-keys.ts';
import { type FoundDatabase, lookAtDatabase } from '../migrate/look-at-database.ts';
import { type BackupHead, type BackupPart, KEPT_BY_MIGRATING, KEPT_OTHERWISE, SAME_TEXTS } from './backup-part.ts';

/** Rows are fetched in batches of about this size, for any size of a row. */
const GROUP_BYTES = 4 * 1024 * 1024;
/** For the first batch of a table, whose row size is not known yet; no row is larger than a request may be. */
const GROUP_ROWS_MIN = 8;
/** Small rows may be followed by large ones. */
const GROUP_ROWS_MAX = 200;

const getHead = ({ installation, applied }: FoundDatabase, { keys }: KeptKeys, takenAt: string): BackupHead => {
  if (installation === undefined)
    throw new DatabaseServerFault(
      applied.size === 0
        ? 'There is nothing to back up: the database is empty.'
        : 'The database has the schema of an earlier version. Start the service once to upgrade it, then create the backup.',
    );
  const migrations = [...applied].map(([name, checksum]) => ({ name, checksum })).sort((a, b) => (a.name < b.name ? -1 : 1));
  const kept = keys.map(({ wrapped, ...each }) => (wrapped === undefined ? each : { ...each, wrapped: wrapped.toString('base64') }));
  const { id, key_check } = installation;
  return { taken_at: takenAt, installation: { id, key_check, ...(kept.length === 0 ? {} : { keys: kept }) }, migrations };
};

type Table = { readonly name: string; readonly columns: string[]; readonly readable: boolean };

const TABLES = `
  select c.relname as name,
         (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
           where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
         not c.relforcerowsecurity or (select rolsuper or rolbypassrls from pg_roles where rolname = current_user)
           or exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'read_by_the_owner'
                         and (select oid from pg_roles where rolname = current_user) = any (p.polroles)) as readable
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all ($1) order by c.relname`;

/** Row-level security would silently return a part of the rows. */
const assertWhole = (tables: readonly Table[]): void => {
  if (tables.every(({ readable }) => readable)) return;
  throw new DatabaseServerFault('This user cannot read every row. Create the backup with the database owner.');
};

async function* readRows(client: pg.Client, { name, columns }: Table): AsyncGenerator<BackupPart> {
  const table = pg.escapeIdentifier(name);
  yield { kind: 'table', name, columns };
  const rowsAsKept = KEPT_OTHERWISE[name] ?? `select whole_row::text as text from ${table} whole_row`;
  await client.query(`declare kept no scroll cursor for ${rowsAsKept}`);
  for (let count = GROUP_ROWS_MIN; ; ) {
    const { rows } = await client.query<{ text: string }>(`fetch ${count} from kept`);
    if (rows.length === 0) break;
    const texts = rows.map(({ text }) => text);
    yield { kind: 'rows', rows: texts };
    const bytes = texts.reduce((sum, text) => sum + text.length, 0) / texts.length;
    count = Math.max(1, Math.min(GROUP_ROWS_MAX, Math.floor(GROUP_BYTES / bytes)));
  }
  await client.query('close kept');
}

async function* readSequences(client: pg.Client): AsyncGenerator<BackupPart> {
  const { rows } = await client.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' order by 1",
  );
  for (const { name } of rows) {
    const stands = await client.query<{ last_value: string; is_called: boolean }>(
      `select last_value::text, is_called from ${pg.escapeIdentifier(name)}`,
    );
    for (const row of stands.rows) yield { kind: 'sequence', name, ...row };
  }
}

export type OpenedBackup = {
  readonly head: BackupHead;
  readonly parts: AsyncGenerator<BackupPart>;
  readonly close: () => Promise<void>;
};

/**
 * Opens a consistent snapshot of a database while others write to it. The owner's transaction changes nothing, blocks no
 * one, and ends with `close`.
 */
export const openBackup = async (ownerUrl: string): Promise<OpenedBackup> => {
  const client = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: 10_000, application_name: 'svc backup' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`begin isolation level repeatable read, read only; ${SAME_TEXTS}`);
    const now = await client.query<{ now: Date }>('select now()');
    const head = getHead(await lookAtDatabase(client), await lookAtKeys(client), now.rows[0]?.now.toISOString() ?? '');
    const { rows: tables } = await client.query<Table>(TABLES, [KEPT_BY_MIGRATING]);
    assertWhole(tables);
    const everything = async function* (): AsyncGenerator<BackupPart> {
      for (const table of tables) yield* readRows(client, table);
      yield* readSequences(client);
    };
    return { head, parts: everything(), close: () => client.end() };
  } catch (error) {
    await client.end();
    throw error;
  }
};
