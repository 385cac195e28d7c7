import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { formatListSection } from '@svc/http/lists/list-section.ts';
import { findTimeFilterRefusal } from '@svc/http/lists/time-filter.ts';
import { asIncident } from '@svc/operations/incidents/incidents/as-incident.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listIncidents as list } from '@svc/postgres/incidents/incidents/incidents.ts';
import type { IncidentsDeps } from '../deps.ts';

export const listIncidents: Handler<Endpoints['listIncidents'], IncidentsDeps> = (call) => {
  const { limit = LIMITS.pages.defaultCount, offset = 0, agent_id: agentId, ...filter } = call.query;
  const wrong = findTimeFilterRefusal(call.query);
  if (wrong) return wrong;
  return searchInTenant(call.database, call.scope, async (tx) => {
    const found = await list(tx, call.scope.organization_id, { ...filter, agentId }, { limit, offset });
    return formatListSection({ ...found, rows: found.rows.map(asIncident) });
  });
};
