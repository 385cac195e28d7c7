import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** Statements of other tables about a log, read in one query. */
export type LogTraces = {
  readonly size: number;
  /** Leaves of the largest tree that was anchored outside. */
  readonly anchored: number;
  /** Leaves that were summed up for searches. */
  readonly summed: number;
  readonly keep_days: number | null;
  readonly announced_leaves: number;
  readonly removed_leaves: number;
  /** The newest events that state the same; null if there is none. */
  readonly announced_event: string | null;
  readonly announced_by_event: string | null;
  readonly keep_event: string | null;
  readonly keep_by_event: string | null;
};

const newest = (organizationId: string, member: string) => sql`
  (select e.id, e.data #>> ${sql.lit(`{after,${member}}`)} as stated from audit_events e
    where e.organization_id = ${organizationId} and e.subject_id = ${organizationId} and e.type = 'audit.retention_updated'
      and (e.data -> 'after' -> ${sql.lit(member)}) is not null
    order by e.id desc limit 1)`;

export const readTraces = async (tx: TenantTransaction, organizationId: string, segmentLeaves: number): Promise<LogTraces> => {
  const { rows } = await sql<LogTraces>`
    select coalesce((select greatest(size, 0) from audit_trees where organization_id = ${organizationId}), 0) as size,
           greatest((select max(size) from audit_anchored where organization_id = ${organizationId}),
                    (select max(size) from audit_anchorings where organization_id = ${organizationId}), 0) as anchored,
           coalesce((select (max(segment) + 1) * ${segmentLeaves}::bigint from audit_search_segments where organization_id = ${organizationId}), 0) as summed,
           r.keep_days, coalesce(r.announced_leaves, 0) as announced_leaves, coalesce(r.removed_leaves, 0) as removed_leaves,
           a.id as announced_event, a.stated as announced_by_event, k.id as keep_event, k.stated as keep_by_event
      from (select) as one
      left join audit_retention r on r.organization_id = ${organizationId}
      left join ${newest(organizationId, 'removed_leaves')} a on true
      left join ${newest(organizationId, 'keep_days')} k on true`.execute(tx);
  const [traces] = rows;
  if (traces === undefined) throw new Error('the traces of a log were not read');
  return traces;
};

/** A record whose newest event, by the table of covered records, is later than every existing event. */
export type LostEvent = { readonly record_type: string; readonly record_id: string; readonly event_id: string };

export const findLostEvents = async (tx: TenantTransaction, organizationId: string, limit: number): Promise<readonly LostEvent[]> => {
  const { rows } = await sql<LostEvent>`
    select c.record_type, c.record_id, c.event_id from covered_records c
     where c.organization_id = ${organizationId}
       and c.event_id > coalesce((select max(e.id) from audit_events e where e.organization_id = ${organizationId}), '')
     order by c.event_id limit ${limit}`.execute(tx);
  return rows;
};
