import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { asAuditEvent, EVENT_NAMES, type StoredEventRow } from '../as-audit-event.ts';
import { hasValidMac } from '../row-mac.ts';

/** An event with its leaf in the tree; null while it is not sealed. */
export type LeafedEvent = {
  readonly event: AuditEvent;
  readonly leaf: { readonly index: number; readonly hash: Buffer } | null;
  /** False for an event that is not sealed and that the service did not write. */
  readonly isAuthentic: boolean;
};

/** Events of one subject that are read, sealed and not; a record has a few events of these types, and the newest matter. */
const PER_SUBJECT_MAX = 20;

type Row = StoredEventRow & { readonly mac: string | null; readonly leaf_index: number | null; readonly leaf_hash: Buffer | null };

/** Reads the events `e` of a from clause, each with its leaf. A leaf outside the tree seals nothing. */
const leafed = async (tx: TenantTransaction, from: RawBuilder<unknown>): Promise<readonly LeafedEvent[]> => {
  const { rows } = await sql<Row>`
    select ${sql.join(EVENT_NAMES.map((name) => sql`e.${sql.ref(name)}`))}, encode(e.mac, 'hex') as mac, l.leaf_index, l.leaf_hash
      from ${from} left join audit_trees t on t.organization_id = e.organization_id
      left join audit_leaves l on l.organization_id = e.organization_id and l.event_id = e.id
       and l.leaf_index >= 0 and l.leaf_index < t.size`.execute(tx);
  return rows.map(({ mac, leaf_index, leaf_hash, ...row }) => {
    const leaf = leaf_index === null || leaf_hash === null ? null : { index: leaf_index, hash: leaf_hash };
    return { event: asAuditEvent(row, leaf_index), leaf, isAuthentic: leaf !== null || hasValidMac(tx, row, mac) };
  });
};

/**
 * Reads the newest events of these types, or of all, about each of these subjects. Unsealed ones are read separately, so that inserted
 * events cannot displace sealed ones.
 */
export const findEventsAbout = async (
  tx: TenantTransaction,
  organizationId: string,
  subjects: readonly string[],
  types?: readonly string[],
): Promise<readonly LeafedEvent[]> => {
  if (subjects.length === 0) return [];
  const leaf = sql`select from audit_leaves l join audit_trees t using (organization_id)
     where l.organization_id = e.organization_id and l.event_id = e.id and l.leaf_index >= 0 and l.leaf_index < t.size`;
  const newest = (isSealed: boolean) => sql`(select * from audit_events e
     where e.organization_id = ${organizationId} and e.subject_id = asked.id
       and ${types === undefined ? sql`true` : sql`e.type = any(${types}::text[])`}
       and ${isSealed ? sql`exists` : sql`not exists`} (${leaf})
     order by e.id desc limit ${PER_SUBJECT_MAX})`;
  return leafed(tx, sql`unnest(${subjects}::text[]) as asked (id) cross join lateral (${newest(true)} union all ${newest(false)}) e`);
};

/** Reads events by their ids, each with its leaf. */
export const findEvents = async (
  tx: TenantTransaction,
  organizationId: string,
  ids: readonly string[],
): Promise<readonly LeafedEvent[]> => {
  if (ids.length === 0) return [];
  return leafed(tx, sql`(select * from audit_events where organization_id = ${organizationId} and id = any(${ids}::text[])) e`);
};
