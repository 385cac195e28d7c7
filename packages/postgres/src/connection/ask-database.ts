import { sql } from 'kysely';
import type { Database } from './connect.ts';

/** Resolves when the database answers, and throws what it says or does not say otherwise. */
export const askDatabase = async (database: Database): Promise<void> => {
  await sql`select 1`.execute(database);
};
