import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { openIncident } from '@svc/operations/incidents/incidents/open-incident.ts';
import type { IncidentsDeps } from '../deps.ts';

export const createIncident: Handler<Endpoints['createIncident'], IncidentsDeps> = (call) => {
  const id = call.newId('incident');
  return call.change((change) => openIncident(change, { ...asActing(call), body: call.body }, id));
};
