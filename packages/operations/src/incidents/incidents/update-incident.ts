import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findIncident, findMissingSubject, setFollowed, updateIncidentRow } from '@svc/postgres/incidents/incidents/incidents.ts';
import { findMemberByUser } from '@svc/postgres/people/members/members.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { readIncidentDetail } from './as-incident.ts';
import { buildIncidentEvent, getAcknowledgedAt, takeIncident } from './take-incident.ts';

type UpdateRequest = CallContext & { readonly incidentId: string; readonly body: EndpointBody<Endpoints['updateIncident']> };

/** Changes the descriptive members of an incident. */
export const updateIncident = async ({ tx, emit }: Change<'incident.updated'>, request: UpdateRequest) => {
  const { scope, now, incidentId, body } = request;
  const { organization_id } = scope;
  const taken = await takeIncident(tx, request, incidentId, 'update');
  if (isRefusal(taken)) return taken;
  const { incident } = taken;
  if (typeof body.owner_id === 'string' && !(await findMemberByUser(tx, organization_id, body.owner_id)))
    return refuseBody('/owner_id', 'There is no such member.');
  const missing = await findMissingSubject(tx, organization_id, body.subjects ?? []);
  if (missing >= 0) return refuseBody(`/subjects/${missing}/id`, 'There is no such subject.');
  const { subjects, ...plain } = body;
  const changed = { ...plain, ...(subjects === undefined ? {} : { subjects: JSON.stringify(subjects) }) };
  await updateIncidentRow(tx, organization_id, incidentId, {
    ...changed,
    updated_at: now,
    acknowledged_at: getAcknowledgedAt(incident, request),
  });
  if (subjects) await setFollowed(tx, organization_id, incidentId, [incidentId, ...subjects.map(({ id }) => id)]);
  const { title, severity, owner_id } = incident;
  const before = { title, severity, owner_id, subjects: incident.subjects };
  const names = Object.keys(body) as (keyof typeof before)[];
  const told = { before: Object.fromEntries(names.map((name) => [name, before[name]])), after: { ...body } };
  emit('incident.updated', buildIncidentEvent(incident, { change: 'updated', ...told }));
  const row = await findIncident(tx, organization_id, incidentId);
  return row ? readIncidentDetail(tx, row) : buildRefusal('NOT_FOUND');
};
