import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { asAuditEvent, EVENT_NAMES } from '../as-audit-event.ts';

export type SealedLeaf = { readonly leaf_index: number; readonly event_id: string; readonly leaf_hash: Buffer };

/** Leaves of a stretch that are there, in order, with the events that they are of where these are there. */
export const readStretch = async (
  tx: TenantTransaction,
  organizationId: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<{ readonly leaves: readonly SealedLeaf[]; readonly events: ReadonlyMap<string, AuditEvent> }> => {
  const leaves = await tx
    .selectFrom('audit_leaves')
    .select(['leaf_index', 'event_id', 'leaf_hash'])
    .where('organization_id', '=', organizationId)
    .where('leaf_index', '>=', from)
    .where('leaf_index', '<', to)
    .orderBy('leaf_index')
    .execute();
  if (leaves.length === 0) return { leaves, events: new Map() };
  const rows = await tx
    .selectFrom('audit_events')
    .select(EVENT_NAMES)
    .where('organization_id', '=', organizationId)
    .where(
      'id',
      'in',
      leaves.map(({ event_id }) => event_id),
    )
    .execute();
  return { leaves, events: new Map(rows.map((row) => [row.id, asAuditEvent(row)])) };
};

/** Events between two ids that are no leaves though the sealer is past them: nobody but the database's owner can have put them there. */
export const findSlippedIn = async (
  tx: TenantTransaction,
  organizationId: string,
  { after, upTo, limit }: { readonly after: string; readonly upTo: string | undefined; readonly limit: number },
): Promise<readonly string[]> => {
  const { rows } = await sql<{ id: string }>`
    select e.id from audit_events e join feed_positions p on p.consumer = 'seal-events'
     where e.organization_id = ${organizationId} and e.id > ${after} and ${upTo === undefined ? sql`true` : sql`e.id <= ${upTo}`}
       and (e.transaction_id < p.transaction_id or (e.transaction_id = p.transaction_id and e.id <= p.id))
       and not exists (select from audit_leaves l where l.organization_id = e.organization_id and l.event_id = e.id)
     order by e.id limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
};
