import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { reopenIncident as reopen } from '@svc/operations/incidents/incidents/reopen-incident.ts';
import type { IncidentsDeps } from '../deps.ts';

export const reopenIncident: Handler<Endpoints['reopenIncident'], IncidentsDeps> = (call) =>
  call.change((change) => reopen(change, { ...asActing(call), incidentId: call.params.incidentId, reason: call.body.reason }), {
    incidents_one_of_a_rule_and_key: () => call.refuse('CONFLICT', 'Its rule has another open incident for the same subject.'),
  });
