import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { formatListSection } from '@svc/http/lists/list-section.ts';
import { asBreakGlass } from '@svc/operations/incidents/emergency/as-break-glass.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listGrants } from '@svc/postgres/incidents/emergency/break-glass.ts';
import type { IncidentsDeps } from '../deps.ts';

export const listBreakGlass: Handler<Endpoints['listBreakGlass'], IncidentsDeps> = (call) => {
  const { limit = LIMITS.pages.defaultCount, offset = 0 } = call.query;
  return readInTenant(call.database, call.scope, async (tx) => {
    const found = await listGrants(tx, call.scope.organization_id, { limit, offset });
    return formatListSection({ ...found, rows: found.rows.map((grant) => asBreakGlass(grant, call.now)) });
  });
};
