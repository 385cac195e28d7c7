import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { formatListSection } from '@svc/http/lists/list-section.ts';
import { asBlockedDestination } from '@svc/operations/incidents/emergency/unblock-destination.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listBlockedDestinations as list } from '@svc/postgres/incidents/emergency/blocked-destinations.ts';
import type { IncidentsDeps } from '../deps.ts';

export const listBlockedDestinations: Handler<Endpoints['listBlockedDestinations'], IncidentsDeps> = (call) => {
  const { limit = LIMITS.pages.defaultCount, offset = 0 } = call.query;
  return readInTenant(call.database, call.scope, async (tx) => {
    const found = await list(tx, call.scope.organization_id, { limit, offset });
    return formatListSection({ ...found, rows: found.rows.map(asBlockedDestination) });
  });
};
