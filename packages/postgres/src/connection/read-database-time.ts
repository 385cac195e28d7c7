import { sql } from 'kysely';
import type { Database } from './connect.ts';

/** Returns the current time of the database's machine, in milliseconds since 1970. */
export const readDatabaseTime = async (database: Database): Promise<number> => {
  const { rows } = await sql<{ ms: number }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(database);
  const ms = rows[0]?.ms;
  if (ms === undefined) throw new Error('the database did not return its time');
  return ms;
};
