import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { buildPage, readPage } from '@svc/http/lists/page.ts';
import { findTimeFilterRefusal } from '@svc/http/lists/time-filter.ts';
import { asEntry } from '@svc/operations/incidents/incidents/as-incident.ts';
import { searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { readTimeline } from '@svc/postgres/incidents/incidents/entries.ts';
import { findIncident } from '@svc/postgres/incidents/incidents/incidents.ts';
import type { IncidentsDeps } from '../deps.ts';

export const getIncidentTimeline: Handler<Endpoints['getIncidentTimeline'], IncidentsDeps> = async (call, { cursorKey }) => {
  const { incidentId } = call.params;
  const wrong = findTimeFilterRefusal(call.query);
  if (wrong) return wrong;
  const page = readPage(call, cursorKey, `incident-timeline ${incidentId}`);
  if (isRefusal(page)) return page;
  const { kind, from } = call.query;
  const { organization_id } = call.scope;
  const rows = await searchInTenant(call.database, call.scope, async (tx) => {
    if (!(await findIncident(tx, organization_id, incidentId))) return undefined;
    return readTimeline(tx, organization_id, { incidentId, kind, from, ...page });
  });
  return rows ? buildPage(rows.map(asEntry), page, cursorKey) : call.refuse('NOT_FOUND');
};
