import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isEmergencyControl } from '@svc/contract/incidents/emergency/emergency-shapes.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { previewControl } from '@svc/operations/incidents/emergency/preview-control.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { IncidentsDeps } from '../deps.ts';

export const previewEmergencyControl: Handler<Endpoints['previewEmergencyControl'], IncidentsDeps> = (call) => {
  const { control } = call.params;
  if (!isEmergencyControl(control)) return call.refuse('NOT_FOUND', 'There is no such emergency control.');
  return readInTenant(call.database, call.scope, (tx) => previewControl(tx, control, { ...asActing(call), target: call.body.target }));
};
