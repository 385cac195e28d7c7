import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { resolveIncident as resolve } from '@svc/operations/incidents/incidents/resolve-incident.ts';
import type { IncidentsDeps } from '../deps.ts';

export const resolveIncident: Handler<Endpoints['resolveIncident'], IncidentsDeps> = (call) =>
  call.change((change) => resolve(change, { ...asActing(call), incidentId: call.params.incidentId, body: call.body }));
