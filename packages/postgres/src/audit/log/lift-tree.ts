import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { KeptTreeRow } from './read-log.ts';

/** The data to compare a held tree with, in addition to its checkpoints. */
export type BesideTree = {
  /** Existing leaves, of any tree. */
  readonly leaves: number;
  /** Leaves of the largest tree that was anchored outside. */
  readonly anchored: number;
  /** Events without a leaf, except those that the sealer rejected. */
  readonly unsealed: number;
};

export const readBesideTree = async (tx: TenantTransaction, organizationId: string): Promise<BesideTree> => {
  const { rows } = await sql<BesideTree>`
    select coalesce((select max(leaf_index) + 1 from audit_leaves where organization_id = ${organizationId}), 0) as leaves,
           greatest((select max(size) from audit_anchored where organization_id = ${organizationId}),
                    (select max(size) from audit_anchorings where organization_id = ${organizationId}), 0) as anchored,
           (select count(*)::int from audit_events e where e.organization_id = ${organizationId}
               and not exists (select from audit_leaves l where l.organization_id = e.organization_id and l.event_id = e.id)
                 and not exists (select from audit_rejected_events r where r.organization_id = e.organization_id and r.event_id = e.id)) as unsealed`.execute(
    tx,
  );
  return rows[0] ?? { leaves: 0, anchored: 0, unsealed: 0 };
};

export type Lift = {
  readonly organizationId: string;
  /** The tree at the time of inspection: one that was changed since is not lifted. */
  readonly seen: KeptTreeRow;
  readonly tree: Pick<KeptTreeRow, 'size' | 'root_hash' | 'edge' | 'checkpoint'>;
  /** The report in the record. */
  readonly lifted: Record<string, unknown>;
};

/**
 * Lets a log continue from a tree, and the sealer process what was skipped meanwhile; returns false if the log was changed since the
 * inspection.
 */
export const liftTree = (reader: Database, { organizationId, seen, tree, lifted }: Lift): Promise<boolean> =>
  reader.transaction().execute(async (tx) => {
    const { numAffectedRows } = await sql`
      update audit_trees set size = ${tree.size}, root_hash = ${tree.root_hash}, edge = ${tree.edge}, checkpoint = ${tree.checkpoint},
             held_since = null, held_told_at = null, lifted = ${JSON.stringify(lifted)}::jsonb
       where organization_id = ${organizationId} and held_since is not null
         and size = ${seen.size} and edge = ${seen.edge} and checkpoint = ${seen.checkpoint}`.execute(tx);
    if (numAffectedRows !== 1n) return false;
    await sql`
      update feed_positions p set transaction_id = first.transaction_id, id = ''
        from (select e.transaction_id from audit_events e where e.organization_id = ${organizationId}
                 and not exists (select from audit_leaves l where l.organization_id = e.organization_id and l.event_id = e.id)
                 and not exists (select from audit_rejected_events r where r.organization_id = e.organization_id and r.event_id = e.id)
               order by e.transaction_id limit 1) as first
       where p.consumer = 'seal-events' and p.transaction_id >= first.transaction_id`.execute(tx);
    return true;
  });
