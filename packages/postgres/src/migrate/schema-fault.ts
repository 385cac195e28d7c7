import type { Database } from '../connection/connect.ts';
import { isSame, readMigrations } from './read-migrations.ts';

const NOT_ALLOWED = '42501';
const UNDEFINED_TABLE = '42P01';

const OLDER =
  'The database has the schema of an older version. Bring it to this version with "npm run ops -- migrate", then start this program again.';

/** Names and checksums of the migrations of the database; undefined in a version that did not let programs read them. */
const readApplied = async (database: Database): Promise<ReadonlyMap<string, string> | undefined> => {
  try {
    const rows = await database.selectFrom('schema_migrations').select(['name', 'checksum']).execute();
    return new Map(rows.map(({ name, checksum }) => [name, checksum]));
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === NOT_ALLOWED || code === UNDEFINED_TABLE) return undefined;
    throw error;
  }
};

/** A sentence if the schema of the database is not the one that this version was written for. */
export const findSchemaFault = async (database: Database): Promise<string | undefined> => {
  const [applied, migrations] = await Promise.all([readApplied(database), readMigrations()]);
  if (applied === undefined) return OLDER;
  const known = new Set(migrations.map(({ name }) => name));
  const newer = [...applied.keys()].filter((name) => !known.has(name)).sort();
  if (newer.length > 0) return `The database has the schema of a newer version (${newer.at(-1)}). Start a program of that version.`;
  const missing = migrations.filter(({ name }) => !applied.has(name));
  if (missing.length > 0) return OLDER.replace(' of an older version', ` of an older version (${missing[0]?.name} is missing)`);
  const changed = migrations.find((migration) => !isSame(migration, applied.get(migration.name) ?? ''));
  return changed && `The migration ${changed.name} differs from the one of this database. Use the release that the database was made with.`;
};
