import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import type { EventType } from '@svc/contract/tables/events.ts';
import { sql } from 'kysely';
import { asAuditEvent, EVENT_NAMES, type EventRow } from '../audit/as-audit-event.ts';
import { readSequences } from '../audit/log/sequences.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import { lookAtStretch } from '../lists/look-at-stretch.ts';
import { madeBetween } from '../lists/made-between.ts';
import { type Found, scanInSlices } from '../lists/scan-in-slices.ts';
import { auditConditions, type EventConditions } from './audit-conditions.ts';

/** As `AuditSearch`, with its types told apart. */
export type AuditFilter = EventConditions;

/** Newest first, one row more than the page holds; see `scanInSlices` for where it stops. */
export const searchAuditEvents = async (
  tx: TenantTransaction,
  organizationId: string,
  filter: AuditFilter,
  page: { readonly after: string | undefined; readonly limit: number },
): Promise<Found<AuditEvent>> => {
  const { subject_id } = filter;
  const search = {
    organizationId,
    table: 'audit_events',
    columns: EVENT_NAMES,
    between: madeBetween('evt', filter),
    indexed: subject_id === undefined ? [] : [sql<boolean>`subject_id = ${subject_id}`],
    filters: auditConditions(filter),
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
