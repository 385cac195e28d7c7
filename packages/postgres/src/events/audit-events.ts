import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import type { EventType } from '@svc/contract/tables/events.ts';
import { asAuditEvent, EVENT_NAMES } from '../audit/as-audit-event.ts';
import { readSequences } from '../audit/log/sequences.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';

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

/** Event types of decisions about an action. */
const DECISIONS = [
  ...(['action.allowed', 'action.approval_required', 'action.blocked', 'action.limited', 'action.masked', 'action.observed'] as const),
  'action.simulated',
] as const satisfies readonly EventType[];

/** Returns the event of an action's last decision; undefined if the caller may see none. */
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
