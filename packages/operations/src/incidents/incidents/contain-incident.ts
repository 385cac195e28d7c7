import type { ContainedStep } from '@svc/contract/incidents/incidents/containment.ts';
import type { IncidentDetail } from '@svc/contract/incidents/incidents/incident-shapes.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { insertEntry } from '@svc/postgres/incidents/incidents/entries.ts';
import { findIncident, updateIncidentRow } from '@svc/postgres/incidents/incidents/incidents.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { readIncidentDetail } from './as-incident.ts';
import { buildIncidentEvent, getAcknowledgedAt, takeIncident } from './take-incident.ts';

type ContainRequest = CallContext & {
  readonly incidentId: string;
  readonly reason: string;
  /** Results of the steps, each of which has already made its change. */
  readonly steps: readonly ContainedStep[];
  readonly entryId: string;
};

/** Sets an incident to CONTAINED after its steps were executed, unless all of them were refused. */
export const containIncident = async (
  { tx, emit }: Change<'incident.contained' | 'incident.updated'>,
  request: ContainRequest,
): Promise<IncidentDetail | Refusal<'NOT_FOUND' | 'INVALID_STATE_TRANSITION'>> => {
  const { scope, now, incidentId, reason, steps, actor, entryId } = request;
  const taken = await takeIncident(tx, request, incidentId, 'contain');
  if (isRefusal(taken)) return taken;
  const { incident, to } = taken;
  const { organization_id } = scope;
  const isContained = steps.length === 0 || steps.some(({ outcome }) => outcome !== 'REFUSED');
  const acknowledged_at = getAcknowledgedAt(incident, request);
  const status = isContained ? { status: to, contained_at: incident.contained_at ?? now } : {};
  await updateIncidentRow(tx, organization_id, incidentId, { ...status, updated_at: now, acknowledged_at });
  const told = steps.map(({ control, target, outcome, code, execution_id }) => ({ control, target, outcome, code, execution_id }));
  const { workspace_id, environment_id } = incident;
  await insertEntry(tx, {
    ...{ organization_id, workspace_id, environment_id, incident_id: incidentId, id: entryId, kind: 'NOTE', at: now, last_at: now },
    data: JSON.stringify({ note: reason, by: actor.id, contained: isContained, steps: told }),
  });
  const row = await findIncident(tx, organization_id, incidentId);
  if (!row) return buildRefusal('NOT_FOUND');
  const detail = await readIncidentDetail(tx, row);
  const data = {
    reason,
    before: { status: incident.status },
    after: isContained ? { status: to, contained_at: incident.contained_at ?? now.toISOString() } : { status: incident.status },
    steps: told,
    is_contained: detail.is_contained,
  };
  emit(isContained ? 'incident.contained' : 'incident.updated', buildIncidentEvent(incident, data));
  return detail;
};
