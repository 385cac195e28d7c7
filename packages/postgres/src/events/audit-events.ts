import type { AuditEvent, AuditSearch } from '@svc/contract/events/audit-events.ts';
import type { EventType } from '@svc/contract/tables/events.ts';
import { type RawBuilder, sql } from 'kysely';
import { asAuditEvent, EVENT_NAMES, type EventRow } from '../audit/as-audit-event.ts';
import { readSequences } from '../audit/log/sequences.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import { lookAtStretch } from '../lists/look-at-stretch.ts';
import { madeBetween } from '../lists/made-between.ts';
import { type Found, scanInSlices } from '../lists/scan-in-slices.ts';

const pattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

export type AuditFilter = Omit<AuditSearch, 'cursor' | 'limit'>;

/** Text as it stands inside a JSON string, where a quote or a backslash has one more before it. */
const asInJson = (text: string): string => JSON.stringify(text).slice(1, -1);

const EQUAL = ['type', 'actor_id', 'severity', 'request_id'] as const;

const holds = (text: string): RawBuilder<boolean> => {
  const like = pattern(text);
  return sql<boolean>`(type ilike ${like} or subject_id ilike ${like} or data::text ilike ${pattern(asInJson(text))})`;
};

/** Newest first, one row more than the page holds; see `scanInSlices` for where it stops. */
export const searchAuditEvents = async (
  tx: TenantTransaction,
  organizationId: string,
  filter: AuditFilter,
  page: { readonly after: string | undefined; readonly limit: number },
): Promise<Found<AuditEvent>> => {
  const { subject_id, from, to, q } = filter;
  const search = {
    organizationId,
    table: 'audit_events',
    columns: EVENT_NAMES,
    between: madeBetween('evt', filter),
    indexed: subject_id === undefined ? [] : [sql<boolean>`subject_id = ${subject_id}`],
    filters: [
      ...EQUAL.flatMap((name) => (filter[name] === undefined ? [] : [sql<boolean>`${sql.ref(name)} = ${filter[name]}`])),
      ...(from === undefined ? [] : [sql<boolean>`occurred_at >= ${from}`]),
      ...(to === undefined ? [] : [sql<boolean>`occurred_at < ${to}`]),
      ...(q === undefined ? [] : [holds(q)]),
    ],
  } as const;
  const { rows, stoppedAt } = await scanInSlices(page, (slice) => lookAtStretch<EventRow>(tx, search, slice));
  const sequences = await readSequences(
    tx,
    organizationId,
    rows.map(({ id }) => id),
  );
  return { rows: rows.map((row) => asAuditEvent(row, sequences.get(row.id))), stoppedAt };
};

export const findAuditEvent = async (tx: TenantTransaction, organizationId: string, id: string): Promise<AuditEvent | undefined> => {
  const row = await tx
    .selectFrom('audit_events')
    .select(EVENT_NAMES)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return asAuditEvent(row, (await readSequences(tx, organizationId, [id])).get(id));
};

/** Events that say how an action was decided. */
const DECISIONS = [
  ...(['action.allowed', 'action.approval_required', 'action.blocked', 'action.limited', 'action.masked', 'action.observed'] as const),
  'action.simulated',
] as const satisfies readonly EventType[];

/** The event that says how an action was decided last; undefined where the caller may see none. */
export const findDecisionEvent = async (
  tx: TenantTransaction,
  organizationId: string,
  actionId: string,
): Promise<AuditEvent | undefined> => {
  const row = await tx
    .selectFrom('audit_events')
    .select(EVENT_NAMES)
    .where('organization_id', '=', organizationId)
    .where('subject_id', '=', actionId)
    .where('type', 'in', DECISIONS)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && asAuditEvent(row);
};
