import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { updateIncident as update } from '@svc/operations/incidents/incidents/update-incident.ts';
import type { IncidentsDeps } from '../deps.ts';

export const updateIncident: Handler<Endpoints['updateIncident'], IncidentsDeps> = (call) =>
  call.change((change) => update(change, { ...asActing(call), incidentId: call.params.incidentId, body: call.body }));
