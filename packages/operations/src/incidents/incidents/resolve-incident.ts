import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { readSteps } from '@svc/postgres/incidents/emergency/executions.ts';
import { findIncident, updateIncidentRow } from '@svc/postgres/incidents/incidents/incidents.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { readIncidentDetail } from './as-incident.ts';
import { buildIncidentEvent, getAcknowledgedAt, takeIncident } from './take-incident.ts';

type ResolveRequest = CallContext & { readonly incidentId: string; readonly body: EndpointBody<Endpoints['resolveIncident']> };

const IN_FORCE = 'Containment steps are still in force. Undo them, or name them in leave_in_force.';

/** Resolves an incident. The response names steps that are still in force, so that none is forgotten. */
export const resolveIncident = async ({ tx, emit }: Change<'incident.resolved'>, request: ResolveRequest) => {
  const { scope, now, incidentId, body } = request;
  const { organization_id } = scope;
  const { resolution, summary, duplicate_of = null, leave_in_force = [] } = body;
  const taken = await takeIncident(tx, request, incidentId, 'resolve');
  if (isRefusal(taken)) return taken;
  const { incident, to } = taken;
  if ((resolution === 'DUPLICATE') !== (duplicate_of !== null))
    return refuseBody('/duplicate_of', 'Name the other incident with the resolution DUPLICATE, and with no other.');
  if (duplicate_of !== null && (duplicate_of === incidentId || !(await findIncident(tx, organization_id, duplicate_of))))
    return refuseBody('/duplicate_of', 'There is no such other incident.');
  const steps = await readSteps(tx, organization_id, incidentId);
  const known = new Set(steps.map(({ id }) => id));
  const unknown = leave_in_force.findIndex((id) => !known.has(id));
  if (unknown >= 0) return refuseBody(`/leave_in_force/${unknown}`, 'There is no such containment step of this incident.');
  // An ended session cannot be restored, so it is no step that could be forgotten.
  const held = steps.filter((step) => step.in_force && step.control !== 'revoke-sessions' && !leave_in_force.includes(step.id));
  if (held.length > 0) return buildRefusal('UNPROCESSABLE', IN_FORCE, { in_force: held.map(({ id }) => id) });
  const acknowledged_at = getAcknowledgedAt(incident, request);
  await updateIncidentRow(tx, organization_id, incidentId, {
    ...{ status: to, resolution, summary, duplicate_of, left_in_force: [...leave_in_force] },
    ...{ resolved_at: now, updated_at: now, acknowledged_at },
  });
  const data = {
    before: { status: incident.status },
    after: { status: to, resolved_at: now.toISOString() },
    resolution,
    summary,
    duplicate_of,
    leave_in_force,
  };
  emit('incident.resolved', buildIncidentEvent(incident, data));
  const row = await findIncident(tx, organization_id, incidentId);
  return row ? readIncidentDetail(tx, row) : buildRefusal('NOT_FOUND');
};
