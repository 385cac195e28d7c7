import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { IncidentEntry } from '@svc/contract/incidents/incidents/incident-shapes.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal, type Refusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { parseStrictTime } from '@svc/domain/agents/agents/strict-time.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { countEntries, insertEntry } from '@svc/postgres/incidents/incidents/entries.ts';
import { updateIncidentRow } from '@svc/postgres/incidents/incidents/incidents.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { buildIncidentEvent, getAcknowledgedAt, takeIncident } from './take-incident.ts';

type NoteRequest = CallContext & { readonly incidentId: string; readonly body: EndpointBody<Endpoints['addIncidentEntry']> };

const WRONG_TIME = 'must be a UTC time that is not in the future, such as 2026-01-31T09:30:00.000Z';

/** Adds a note to a timeline. */
export const addNote = async (
  { tx, emit }: Change<'incident.updated'>,
  request: NoteRequest,
  id: string,
): Promise<IncidentEntry | Refusal<'NOT_FOUND' | 'INVALID_STATE_TRANSITION' | 'VALIDATION_FAILED' | 'UNPROCESSABLE'>> => {
  const { scope, now, actor, incidentId, body } = request;
  const { note, at = now.toISOString(), pinned = false } = body;
  const time = parseStrictTime(at);
  if (time === null || time > now.getTime()) return refuseBody('/at', WRONG_TIME);
  const taken = await takeIncident(tx, request, incidentId, 'update');
  if (isRefusal(taken)) return taken;
  const { incident } = taken;
  const { organization_id } = scope;
  const { entriesMax } = LIMITS.incidents;
  if ((await countEntries(tx, organization_id, incidentId)) >= entriesMax)
    return buildRefusal('UNPROCESSABLE', `A timeline has at most ${entriesMax} entries.`);
  const { workspace_id, environment_id } = incident;
  const data = { note, by: actor.id };
  const row = { organization_id, workspace_id, environment_id, incident_id: incidentId, id, at, last_at: at, kind: 'NOTE' as const };
  await insertEntry(tx, { ...row, pinned, data: JSON.stringify(data) });
  await updateIncidentRow(tx, organization_id, incidentId, { updated_at: now, acknowledged_at: getAcknowledgedAt(incident, request) });
  emit('incident.updated', buildIncidentEvent(incident, { change: 'note_added', entry_id: id, note }));
  return { id, kind: 'NOTE', at, last_at: at, count: 1, event_id: null, pinned, data };
};
