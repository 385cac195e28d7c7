import { LIMITS } from '@svc/contract/tables/limits.ts';
import { SEGMENT_LEAVES } from '@svc/domain/events/audit-searches/bloom-positions.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** The leaves of a log, the segments that are not there of those it should have, and the lowest event that is not sealed. */
type Summed = { readonly size: number; readonly missing: readonly number[]; readonly lowest: string | null };

/** With one more it is not worth while to use segments. */
const MISSING_MAX = Math.floor(LIMITS.search.unsummedMax / SEGMENT_LEAVES);

/**
 * Only an existing segment proves its range: no mark is trusted for all before it. Events sealed after this are leaves in the next
 * statement.
 */
const findSummed = async (tx: TenantTransaction, organizationId: string): Promise<Summed | undefined> => {
  const { unsummedMax } = LIMITS.search;
  const { rows } = await sql<Summed>`
    select t.size, u.lowest,
           case when (select count(*) from audit_search_segments where organization_id = ${organizationId} and segment between 0 and t.size / ${sql.lit(SEGMENT_LEAVES)} - 1)
                     < t.size / ${sql.lit(SEGMENT_LEAVES)}
                then array(select n::integer from generate_series(0, t.size / ${sql.lit(SEGMENT_LEAVES)} - 1) as n
                            where not exists (select from audit_search_segments s where s.organization_id = ${organizationId} and s.segment = n)
                            limit ${MISSING_MAX + 1})
                else '{}'::integer[] end as missing
      from audit_trees t, svc_lowest_unsealed(${unsummedMax}) u
     where t.organization_id = ${organizationId} and t.held_since is null and t.size >= ${sql.lit(SEGMENT_LEAVES)} and u.is_known`.execute(
    tx,
  );
  return rows[0];
};

/**
 * Returns the identifier below which every event of an organization is in a segment: null if all are, undefined if unknown,
 * as before the first seal. Events are sealed in the order of the feed, so one that was committed late is not overlooked, however old its
 * identifier is. The events of a missing segment, as after a partial restore, count as being in none.
 */
export const findLowestUnsummed = async (tx: TenantTransaction, organizationId: string): Promise<string | null | undefined> => {
  const summed = await findSummed(tx, organizationId);
  if (summed === undefined) return undefined;
  const { size, missing, lowest } = summed;
  const whole = Math.floor(size / SEGMENT_LEAVES);
  const { unsummedMax } = LIMITS.search;
  if (missing.length === whole || missing.length * SEGMENT_LEAVES + (size % SEGMENT_LEAVES) > unsummedMax) return undefined;
  const { rows } = await sql<{ lowest: string | null }>`
    select min(event_id) as lowest from (
      (select event_id from audit_leaves where organization_id = ${organizationId} and leaf_index >= ${whole * SEGMENT_LEAVES}
        order by leaf_index limit ${2 * unsummedMax})
      union all
      select l.event_id from unnest(${missing.map((n) => n * SEGMENT_LEAVES)}::bigint[]) as missing (leaf), audit_leaves l
       where l.organization_id = ${organizationId} and l.leaf_index >= leaf and l.leaf_index < leaf + ${sql.lit(SEGMENT_LEAVES)}) as rest`.execute(
    tx,
  );
  return [lowest ?? [], rows[0]?.lowest ?? []].flat().sort()[0] ?? null;
};
