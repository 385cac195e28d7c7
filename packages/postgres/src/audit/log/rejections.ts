import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { FeedTransaction } from '../feed-positions.ts';

/** An event that the service did not write. */
export type Rejected = { readonly organization_id: string; readonly event_id: string };

/** Notes events that the sealer passes over; how many of them were not noted before. */
export const noteRejected = async (tx: FeedTransaction, rejected: readonly Rejected[]): Promise<number> => {
  if (rejected.length === 0) return 0;
  const { rows } = await sql<{ count: number }>`
    with added as (
      insert into audit_rejected_events (organization_id, event_id)
      select * from unnest(${rejected.map((each) => each.organization_id)}::text[], ${rejected.map((each) => each.event_id)}::text[])
      on conflict do nothing returning organization_id),
    counted as (
      insert into audit_rejections as r (organization_id, rejected) select organization_id, count(*) from added group by 1
      on conflict (organization_id) do update set rejected = r.rejected + excluded.rejected)
    select count(*)::int as count from added`.execute(tx);
  return rows[0]?.count ?? 0;
};

/** Counts the rejected events of all organizations. */
export const countRejected = async (reader: Database): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select coalesce(sum(rejected), 0)::float8 as count from audit_rejections`.execute(reader);
  return rows[0]?.count ?? 0;
};

/** Between two reports in the record of one organization, so that events that keep coming fill no record. */
const REPORT_EVERY_MINUTES = 5;
const EXAMPLES_MAX = 10;

export type RejectionReport = {
  /** New since the last report; 0 if there are none. */
  readonly rejected: number;
  readonly total: number;
  /** The newest of them. */
  readonly event_ids: readonly string[];
};

const isDue = sql.raw(
  `r.rejected > r.reported and (r.reported_at is null or r.reported_at < now() - interval '${REPORT_EVERY_MINUTES} minutes')`,
);

/** Organizations whose record is to report rejected or adopted events. */
export const rejectionsDue = sql`select r.organization_id from audit_rejections r join organizations o on o.id = r.organization_id
  where (${isDue}) or not r.adopted_reported`;

/** Takes the pending report about rejected events of an organization; the caller emits it in this transaction. */
export const takeRejections = async (tx: TenantTransaction, organizationId: string): Promise<RejectionReport | undefined> => {
  const { rows } = await sql<RejectionReport>`
    with due as (select organization_id, reported, rejected from audit_rejections r where organization_id = ${organizationId} and ${isDue} for update),
    taken as (update audit_rejections r set reported = d.rejected, reported_at = now() from due d where r.organization_id = d.organization_id)
    select (rejected - reported)::float8 as rejected, rejected::float8 as total,
           array(select event_id from audit_rejected_events e where e.organization_id = d.organization_id order by rejected_at desc, event_id limit ${EXAMPLES_MAX}) as event_ids
      from due d`.execute(tx);
  return rows[0];
};

/**
 * Returns how many unsealed events of an organization were authenticated at the migration; undefined if that is reported, or there were
 * none.
 */
export const takeAdopted = async (tx: TenantTransaction, organizationId: string): Promise<number | undefined> => {
  const { rows } = await sql<{ adopted: number }>`
    update audit_rejections set adopted_reported = true where organization_id = ${organizationId} and not adopted_reported
    returning adopted::float8 as adopted`.execute(tx);
  return rows[0]?.adopted;
};
