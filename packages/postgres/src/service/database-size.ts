import { sql } from 'kysely';
import type { Database } from '../connection/connect.ts';

/** Bytes of all that is kept, indexes included; the database's own log is not among them. */
export const readDatabaseSize = async (database: Database): Promise<number> => {
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database())::float8 as bytes`.execute(database);
  return rows[0]?.bytes ?? Number.NaN;
};
