import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { Severity } from '@svc/contract/tables/vocabulary.ts';
import { getIncidentTransition, type IncidentOperation } from '@svc/domain/incidents/incidents/lifecycle.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { type IncidentRow, lockIncident } from '@svc/postgres/incidents/incidents/incidents.ts';
import type { CallContext } from '../../people/auth/acting.ts';

export type TakenIncident = { readonly incident: IncidentRow; readonly to: IncidentRow['status'] };

/** Locks an incident for an operation that its status allows. */
export const takeIncident = async (
  tx: TenantTransaction,
  { scope }: Pick<CallContext, 'scope'>,
  incidentId: string,
  operation: IncidentOperation,
): Promise<TakenIncident | Refusal<'NOT_FOUND' | 'INVALID_STATE_TRANSITION'>> => {
  const incident = await lockIncident(tx, scope.organization_id, incidentId);
  if (!incident) return buildRefusal('NOT_FOUND', 'There is no such incident.');
  const moved = getIncidentTransition(operation, incident.status);
  return isRefusal(moved) ? moved : { incident, to: moved.to };
};

/** Returns the time of a person's first action, which later ones keep. */
export const getAcknowledgedAt = (
  { acknowledged_at }: IncidentRow,
  { actor, now }: Pick<CallContext, 'actor' | 'now'>,
): string | Date | null => acknowledged_at ?? (actor.type === 'USER' ? now : null);

/** Builds the subject and data of an incident's event. Events of exercises are marked and have no effect. */
export const buildIncidentEvent = (
  incident: Pick<IncidentRow, 'id' | 'workspace_id' | 'environment_id' | 'drill'>,
  data: Readonly<Record<string, unknown>>,
  severity?: Severity,
) => ({
  ...about.incident(incident),
  ...(incident.drill ? { severity: 'info' as const } : severity === undefined ? {} : { severity }),
  data: incident.drill ? { ...data, drill: true } : data,
});
