import { sql } from 'kysely';
import type { Database } from '../connection/connect.ts';

/** Returns the size of all stored data in bytes, indexes included, without the database's write-ahead log. */
export const readDatabaseSize = async (database: Database): Promise<number> => {
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database())::float8 as bytes`.execute(database);
  return rows[0]?.bytes ?? Number.NaN;
};
