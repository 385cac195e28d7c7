import type { AuditEvent, AuditSearch } from '@svc/contract/events/audit-events.ts';
import { type RawBuilder, sql } from 'kysely';
import { asAuditEvent, EVENT_NAMES, type EventRow } from '../audit/as-audit-event.ts';
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
  return { rows: rows.map(asAuditEvent), stoppedAt };
};

export const findAuditEvent = async (tx: TenantTransaction, organizationId: string, id: string): Promise<AuditEvent | undefined> => {
  const row = await tx
    .selectFrom('audit_events')
    .select(EVENT_NAMES)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && asAuditEvent(row);
};
