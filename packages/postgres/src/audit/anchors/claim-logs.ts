import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';

/** A log whose newest checkpoint is due for an anchor, and the number of leaves that the anchor has. */
export type ClaimedLog = {
  readonly organization_id: string;
  readonly size: number;
  readonly root_hash: Buffer;
  readonly checkpoint: string;
  readonly anchored: number;
  readonly is_in_conflict: boolean;
};

/**
 * Leases logs that are due for an anchor: the longest waiting first. One whose tree is smaller than the anchor's copy
 * is included.
 */
export const claimLogs = async (reader: Database, anchor: string, limit: number): Promise<readonly ClaimedLog[]> => {
  const until = sql`statement_timestamp() + make_interval(secs => ${LIMITS.anchors.leaseSeconds}::float8)`;
  const { rows } = await sql<ClaimedLog>`
    with due as materialized (
      select t.organization_id, t.size, t.root_hash, t.checkpoint, coalesce(a.size, 0) as anchored, a.conflict_since is not null as is_in_conflict
        from audit_trees t left join audit_anchorings a on a.organization_id = t.organization_id and a.anchor = ${anchor}
       where t.size <> coalesce(a.size, 0) and t.held_since is null and (a.next_at is null or a.next_at <= statement_timestamp())
       order by a.next_at nulls first, t.organization_id limit ${limit}),
    claimed as (
      insert into audit_anchorings (organization_id, anchor, next_at) select organization_id, ${anchor}, ${until} from due
      on conflict (anchor, organization_id) do update set next_at = excluded.next_at where audit_anchorings.next_at <= statement_timestamp()
      returning organization_id)
    select due.* from due join claimed using (organization_id)`.execute(reader);
  return rows;
};
