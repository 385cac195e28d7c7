import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

type Marked = { readonly leaves: number; readonly lowest: string | null };

/** How many leaves stand in segments, and the lowest event that is not sealed. What is sealed in between is a leaf by the next statement. */
const findMarked = async (tx: TenantTransaction, organizationId: string): Promise<Marked | undefined> => {
  const { unsummedMax } = LIMITS.search;
  const { rows } = await sql<Marked>`
    select m.leaves, u.lowest from audit_search_marks m join audit_trees t using (organization_id), svc_lowest_unsealed(${unsummedMax}) u
     where m.organization_id = ${organizationId} and m.leaves > 0 and t.held_since is null and t.size - m.leaves < ${unsummedMax} and u.is_known`.execute(
    tx,
  );
  return rows[0];
};

/**
 * Below which identifier every event of an organization stands in a segment: null where all of them do, undefined where that cannot be told,
 * as while nothing is sealed. Events are sealed in the order of the feed, so one that was committed late is not overlooked, however old its
 * identifier is.
 */
export const findLowestUnsummed = async (tx: TenantTransaction, organizationId: string): Promise<string | null | undefined> => {
  const marked = await findMarked(tx, organizationId);
  if (marked === undefined) return undefined;
  const { rows } = await sql<{ lowest: string | null }>`
    select min(event_id) as lowest from (
      select event_id from audit_leaves where organization_id = ${organizationId} and leaf_index >= ${marked.leaves}
       order by leaf_index limit ${2 * LIMITS.search.unsummedMax}) as rest`.execute(tx);
  return [marked.lowest ?? [], rows[0]?.lowest ?? []].flat().sort()[0] ?? null;
};
