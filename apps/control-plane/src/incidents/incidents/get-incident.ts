import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readIncidentDetail } from '@svc/operations/incidents/incidents/as-incident.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findIncident } from '@svc/postgres/incidents/incidents/incidents.ts';
import type { IncidentsDeps } from '../deps.ts';

export const getIncident: Handler<Endpoints['getIncident'], IncidentsDeps> = (call) =>
  readInTenant(call.database, call.scope, async (tx) => {
    const row = await findIncident(tx, call.scope.organization_id, call.params.incidentId);
    return row ? readIncidentDetail(tx, row) : call.refuse('NOT_FOUND');
  });
