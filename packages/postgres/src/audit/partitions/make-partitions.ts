import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';

/**
 * Makes the partitions of events that are missing, for this month and the three to come; how many. It waits a fifth of a second at most for
 * whoever reads all partitions, and is tried again later.
 */
export const makePartitions = async (identity: Database): Promise<number> => {
  const { rows } = await sql<{ made: number }>`select svc_make_audit_partitions() as made`.execute(identity);
  return rows[0]?.made ?? 0;
};
