import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { addNote } from '@svc/operations/incidents/incidents/add-note.ts';
import type { IncidentsDeps } from '../deps.ts';

export const addIncidentEntry: Handler<Endpoints['addIncidentEntry'], IncidentsDeps> = (call) => {
  const id = call.newId('incident_entry');
  return call.change((change) => addNote(change, { ...asActing(call), incidentId: call.params.incidentId, body: call.body }, id));
};
