import { sql } from 'kysely';
import type { Database } from './connect.ts';

/** Resolves if the database responds and accepts writes, and throws otherwise. */
export const askDatabase = async (database: Database): Promise<void> => {
  const { rows } = await sql<{ standing: string }>`select current_setting('transaction_read_only') as standing`.execute(database);
  if (rows[0]?.standing !== 'off') throw new Error('the database is read-only: it is a standby, or was set to read-only');
};
