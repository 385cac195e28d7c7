import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { IncidentReport } from '@svc/contract/incidents/incidents/incident-shapes.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { writeReport } from '@svc/operations/incidents/incidents/write-report.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findIncident } from '@svc/postgres/incidents/incidents/incidents.ts';
import type { IncidentsDeps } from '../deps.ts';

/** Returns the report. That of a closed incident stays as it was when the incident was closed. */
export const getIncidentReport: Handler<Endpoints['getIncidentReport'], IncidentsDeps> = (call) =>
  searchInTenant(call.database, call.scope, async (tx) => {
    const row = await findIncident(tx, call.scope.organization_id, call.params.incidentId);
    if (!row) return call.refuse('NOT_FOUND');
    return row.report === null ? writeReport(tx, row, call.now) : (row.report as IncidentReport);
  });
