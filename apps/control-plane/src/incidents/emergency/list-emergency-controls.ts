import type { Endpoints } from '@svc/contract/endpoints.ts';
import { EMERGENCY_CONTROLS } from '@svc/contract/incidents/emergency/emergency-shapes.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { readLastExecutions } from '@svc/postgres/incidents/emergency/executions.ts';
import type { IncidentsDeps } from '../deps.ts';

export const listEmergencyControls: Handler<Endpoints['listEmergencyControls'], IncidentsDeps> = (call) =>
  readInTenant(call.database, call.scope, (tx) => readLastExecutions(tx, call.scope.organization_id, EMERGENCY_CONTROLS));
