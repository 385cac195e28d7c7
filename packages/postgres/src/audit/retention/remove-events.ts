import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/**
 * Returns the state of the newest announcement: sealed as a leaf of the log, or waiting for that; undefined if there is none, or it was
 * made
 * on another server, whose transaction ids mean nothing here.
 */
export const findAnnounced = async (tx: TenantTransaction, organizationId: string): Promise<'sealed' | 'said' | undefined> => {
  const { rows } = await sql<{ state: 'sealed' | 'said' | null }>`
    select case when svc_audit_is_announced(organization_id) then 'sealed' when announced_in > '0' then 'said' end as state
      from audit_retention where organization_id = ${organizationId}`.execute(tx);
  return rows[0]?.state ?? undefined;
};

/**
 * Returns the leaf before which every event exceeds its organization's retention, checking a bounded number of leaves from `from` on;
 * undefined if
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

/** Announces the removal of events before this leaf: an event in the same transaction states it. */
export const announceRemoval = async (tx: TenantTransaction, organizationId: string, leaves: number): Promise<void> => {
  // After a restore the same is announced again, in a transaction of this server.
  await sql`update audit_retention set announced_leaves = 0 where organization_id = ${organizationId} and announced_leaves = ${leaves}`.execute(
    tx,
  );
  await tx.updateTable('audit_retention').set({ announced_leaves: leaves }).where('organization_id', '=', organizationId).execute();
};

/** Returns the notes that announced a removal, the newest first; few, since there is one per month of events. */
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
 * Removes a bounded number of events that are announced, sealed and past their retention, which the database verifies by
 * itself; returns false if there are none, or they will be removed with their month.
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

/** Takes one bounded step towards dropping an expired month; undefined if there is none, or it has to wait. */
export const dropSome = async (identity: Database, eventsMax: number) => {
  const { rows } = await sql<{ called: string; is_dropped: boolean }>`
    select called, is_dropped from svc_drop_audit_partition(${eventsMax})`.execute(identity);
  return rows[0];
};
