import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';

/** Counts the months after the month of a time that already have a partition, up to the three that are created ahead. */
export const countPartitionsAhead = async (reader: Database, atMs: number): Promise<number> => {
  const { rows } = await sql<{ ahead: number }>`
    select count(*)::int as ahead from generate_series(1, 3) as away
     where svc_first_id('evt', svc_month(away + 1, to_timestamp(${atMs / 1_000}::float8))) <= (select max(beyond_id) from svc_audit_partitions())`.execute(
    reader,
  );
  return rows[0]?.ahead ?? 0;
};
