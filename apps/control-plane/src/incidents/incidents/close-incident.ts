import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { closeIncident as close } from '@svc/operations/incidents/incidents/close-incident.ts';
import type { IncidentsDeps } from '../deps.ts';

export const closeIncident: Handler<Endpoints['closeIncident'], IncidentsDeps> = (call) =>
  call.change((change) => close(change, { ...asActing(call), incidentId: call.params.incidentId, reason: call.body?.reason }));
