import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/**
 * What became of the newest announcement: sealed as a leaf of the log, or said and waiting for that; undefined where there is none, or it was said
 * on another server, whose transactions mean nothing here.
 */
export const findAnnounced = async (tx: TenantTransaction, organizationId: string): Promise<'sealed' | 'said' | undefined> => {
  const { rows } = await sql<{ state: 'sealed' | 'said' | null }>`
    select case when svc_audit_is_announced(organization_id) then 'sealed' when announced_in > '0' then 'said' end as state
      from audit_retention where organization_id = ${organizationId}`.execute(tx);
  return rows[0]?.state ?? undefined;
};

/**
 * Before which leaf every event is older than its organization keeps it, looking at a bounded number of leaves from `from` on; undefined where
 * the organization keeps all, or the log is held.
 */
export const findRemovable = async (
  tx: TenantTransaction,
  organizationId: string,
  { from, leavesMax }: { readonly from: number; readonly leavesMax: number },
): Promise<number | undefined> => {
  const { rows } = await sql<{ upto: number | null }>`
    select coalesce(min(l.leaf_index) filter (where l.event_id >= c.cutoff), max(l.leaf_index) + 1) as upto
      from (select svc_audit_cutoff(${organizationId}) as cutoff offset 0) c, audit_trees t,
           lateral svc_audit_leaves(${organizationId}, ${from}, least(${from}::bigint + ${leavesMax}, t.size)) l
     where t.organization_id = ${organizationId} and t.held_since is null and c.cutoff is not null`.execute(tx);
  return rows[0]?.upto ?? undefined;
};

/** Removed from now on is what lies before this leaf: told in the same transaction by an event. */
export const announceRemoval = async (tx: TenantTransaction, organizationId: string, leaves: number): Promise<void> => {
  // Where a backup was restored the same is said once more, and of this server's transaction.
  await sql`update audit_retention set announced_leaves = 0 where organization_id = ${organizationId} and announced_leaves = ${leaves}`.execute(
    tx,
  );
  await tx.updateTable('audit_retention').set({ announced_leaves: leaves }).where('organization_id', '=', organizationId).execute();
};

/** What the notes say that announced a removal, the newest first; few, since there is one for each month of events. */
export const readAnnouncement = async (tx: TenantTransaction, organizationId: string): Promise<string | undefined> => {
  const { rows } = await sql<{ id: string }>`
    select e.id from audit_events e
     where e.organization_id = ${organizationId} and e.subject_id = ${organizationId} and e.type = 'audit.retention_updated'
       and e.data #>> '{after,removed_leaves}' is not null and svc_audit_leaf(e.organization_id, e.id) is not null
       and exists (select from audit_retention r where r.organization_id = ${organizationId} and r.announced_leaves > 0)
     order by e.id desc limit 1`.execute(tx);
  return rows[0]?.id;
};

/**
 * Removes a bounded number of events that are announced, sealed and older than their organization keeps them, all of which the database judges
 * by itself; false where there are none, or they will go with their month.
 */
export const removeSome = async (tx: TenantTransaction, organizationId: string, leavesMax: number): Promise<boolean> => {
  const { rows } = await sql<{ walked_to: number }>`select walked_to from svc_remove_audit_events(${organizationId}, ${leavesMax})`.execute(
    tx,
  );
  const [step] = rows;
  if (step === undefined) return false;
  await tx.updateTable('audit_retention').set({ removed_leaves: step.walked_to }).where('organization_id', '=', organizationId).execute();
  return true;
};

/** One bounded step towards dropping a month that nobody keeps; undefined where there is none, or it has to wait. */
export const dropSome = async (identity: Database, eventsMax: number) => {
  const { rows } = await sql<{ called: string; is_dropped: boolean }>`
    select called, is_dropped from svc_drop_audit_partition(${eventsMax})`.execute(identity);
  return rows[0];
};
