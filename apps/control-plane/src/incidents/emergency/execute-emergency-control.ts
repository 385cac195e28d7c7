import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isEmergencyControl } from '@svc/contract/incidents/emergency/emergency-shapes.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { executeControl } from '@svc/operations/incidents/emergency/execute-control.ts';
import type { IncidentsDeps } from '../deps.ts';

export const executeEmergencyControl: Handler<Endpoints['executeEmergencyControl'], IncidentsDeps> = (call) => {
  const { control } = call.params;
  if (!isEmergencyControl(control)) return call.refuse('NOT_FOUND', 'There is no such emergency control.');
  const { target, reason, confirm_blast_radius: confirmed, expires_at: expiresAt = null, incident_id: incidentId = null } = call.body;
  const request = { ...asActing(call), control, target, reason, confirmed, expiresAt, incidentId, drill: call.body.drill ?? false };
  return call.change((change) => executeControl(change, { ...request, newId: call.newId }));
};
