import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import { asAuditEvent, EVENT_NAMES, type StoredEventRow } from '../audit/as-audit-event.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import { madeBetween } from '../lists/made-between.ts';
import { auditConditions, type EventConditions } from './audit-conditions.ts';

type Times = { readonly from?: string | undefined; readonly to?: string | undefined };

/** Looked at in one step; and in all, beyond which the whole log is. */
const STEP_EVENTS = 20_000;
const STEPS_MAX = 200;

type Spread = { readonly last: string | null; readonly lowest: number | null; readonly highest: number | null };

const nextSpread = async (tx: TenantTransaction, organizationId: string, after: string, upTo: string): Promise<Spread> => {
  const { rows } = await sql<Spread>`
    select max(event_id) as last, min(leaf_index) as lowest, max(leaf_index) as highest
      from (select event_id, leaf_index from audit_leaves where organization_id = ${organizationId} and event_id > ${after}
               and event_id <= ${upTo} order by event_id limit ${STEP_EVENTS}) as step`.execute(tx);
  return rows[0] ?? { last: null, lowest: null, highest: null };
};

/** Reads in transactions of their own, each of them short. */
type Reader = <Result>(work: (tx: TenantTransaction) => Promise<Result>) => Promise<Result>;

/**
 * Returns the range of leaves of a tree of `size` that contains everything between two times, and possibly more: identifiers contain the
 * time
 * of an event, and not the position at which it was sealed.
 */
export const findLeavesBetween = async (
  read: Reader,
  organizationId: string,
  { from, to, size }: Times & { readonly size: number },
): Promise<{ readonly from: number; readonly to: number }> => {
  const whole = { from: 0, to: size };
  if (from === undefined && to === undefined) return whole;
  const { first = '', last = '~' } = madeBetween('evt', { from, to });
  let [after, lowest, highest] = [first, size, 0];
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const found = await read((tx) => nextSpread(tx, organizationId, after, last));
    if (found.last === null) return lowest < highest ? { from: lowest, to: Math.min(size, highest) } : { from: 0, to: 0 };
    after = found.last;
    [lowest, highest] = [Math.min(lowest, found.lowest ?? size), Math.max(highest, (found.highest ?? -1) + 1)];
  }
  return whole;
};

export type ExportedLeaf = { readonly leaf_index: number; readonly leaf_hash: Buffer; readonly event_id: string };

/** The following leaves, as many as may be read at once by their number and size; at least one if there is one. */
type Range = { readonly from: number; readonly to: number; readonly leavesMax: number };

const nextLeaves = async (
  tx: TenantTransaction,
  organizationId: string,
  { from, to, leavesMax }: Range,
): Promise<readonly ExportedLeaf[]> => {
  const { pageBytesMax } = LIMITS.exports;
  const { rows } = await sql<ExportedLeaf>`
    with page as materialized (
      select l.leaf_index, coalesce(l.leaf_hash, '') as leaf_hash, coalesce(l.event_id, '') as event_id,
             coalesce((select octet_length(e.data::text) from audit_events e
                        where e.organization_id = l.organization_id and e.id = l.event_id), 0) as size
        from audit_leaves l where l.organization_id = ${organizationId} and l.leaf_index >= ${from} and l.leaf_index < ${to}
       order by l.leaf_index limit ${leavesMax}
    )
    select leaf_index, leaf_hash, event_id
      from (select *, sum(size) over (order by leaf_index) - size as before from page) as sized
     where before < ${pageBytesMax} order by leaf_index`.execute(tx);
  return rows;
};

/** Reads a range of the log for an export: its leaves, and the matching events among them, with positions and in order. */
export const readExported = async (
  tx: TenantTransaction,
  organizationId: string,
  { asked, ...range }: Range & { readonly asked: EventConditions },
): Promise<{ readonly leaves: readonly ExportedLeaf[]; readonly events: readonly AuditEvent[] }> => {
  const leaves = await nextLeaves(tx, organizationId, range);
  if (leaves.length === 0) return { leaves, events: [] };
  const { subject_id } = asked;
  const fitting = [...(subject_id === undefined ? [] : [sql<boolean>`subject_id = ${subject_id}`]), ...auditConditions(asked)];
  const { rows } = await sql<StoredEventRow>`
    select ${sql.join(EVENT_NAMES.map((name) => sql.ref(name)))} from audit_events
     where organization_id = ${organizationId} and id = any(${leaves.map(({ event_id }) => event_id)}::text[])
       ${fitting.length === 0 ? sql`` : sql`and ${sql.join(fitting, sql` and `)}`}`.execute(tx);
  const found = new Map(rows.map((row) => [row.id, row]));
  const events = leaves.flatMap(({ event_id, leaf_index }) => {
    const row = found.get(event_id);
    return row === undefined ? [] : [asAuditEvent(row, leaf_index)];
  });
  return { leaves, events };
};
