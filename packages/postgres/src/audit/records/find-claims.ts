import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { asAuditEvent, EVENT_NAMES, type EventRow } from '../as-audit-event.ts';

/** An event with its leaf; null while it is not sealed. */
export type LeafedEvent = { readonly event: AuditEvent; readonly leaf: { readonly index: number; readonly hash: Buffer } | null };

/** Events of one subject that are read; a record has a few events of these types, and the newest matter. */
const PER_SUBJECT_MAX = 20;

type Row = EventRow & { readonly leaf_index: number | null; readonly leaf_hash: Buffer | null };

/** Reads the events `e` of a from clause, each with its leaf. */
const leafed = async (tx: TenantTransaction, from: RawBuilder<unknown>): Promise<readonly LeafedEvent[]> => {
  const { rows } = await sql<Row>`
    select ${sql.join(EVENT_NAMES.map((name) => sql`e.${sql.ref(name)}`))}, l.leaf_index, l.leaf_hash
      from ${from} left join audit_leaves l on l.organization_id = e.organization_id and l.event_id = e.id`.execute(tx);
  return rows.map(({ leaf_index, leaf_hash, ...row }) => ({
    event: asAuditEvent(row, leaf_index),
    leaf: leaf_index === null || leaf_hash === null ? null : { index: leaf_index, hash: leaf_hash },
  }));
};

/** Reads the newest events of these types, or of all, about each of these subjects. */
export const findEventsAbout = async (
  tx: TenantTransaction,
  organizationId: string,
  subjects: readonly string[],
  types?: readonly string[],
): Promise<readonly LeafedEvent[]> => {
  if (subjects.length === 0) return [];
  return leafed(
    tx,
    sql`unnest(${subjects}::text[]) as asked (id)
     cross join lateral (select * from audit_events
        where organization_id = ${organizationId} and subject_id = asked.id and ${types === undefined ? sql`true` : sql`type = any(${types}::text[])`}
        order by id desc limit ${PER_SUBJECT_MAX}) e`,
  );
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
