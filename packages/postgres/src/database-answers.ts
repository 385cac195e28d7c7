import { sql } from 'kysely';
import type { Database } from './connect.ts';

/** Throws when the database does not answer in time. */
export const databaseAnswers = async (database: Database): Promise<true> => {
  await sql`select 1`.execute(database);
  return true;
};
