import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';

/**
 * Creates the missing partitions of events, for this month and the next three; returns the number. It waits a fifth of a second at most for
 * readers of all partitions, and is retried later.
 */
export const makePartitions = async (identity: Database): Promise<number> => {
  const { rows } = await sql<{ made: number }>`select svc_make_audit_partitions() as made`.execute(identity);
  return rows[0]?.made ?? 0;
};
