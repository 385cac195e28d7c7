import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { formatListSection } from '@svc/http/lists/list-section.ts';
import { asA2aConnection } from '@svc/operations/peers/a2a/as-a2a-connection.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listA2aConnections as list } from '@svc/postgres/peers/a2a/a2a-connections.ts';
import type { PeersDeps } from '../deps.ts';

export const listA2aConnections: Handler<Endpoints['listA2aConnections'], PeersDeps> = (call, { urls }) => {
  const { limit = LIMITS.pages.defaultCount, offset = 0, environment_id } = call.query;
  return readInTenant(call.database, call.scope, async (tx) => {
    const found = await list(tx, call.scope.organization_id, environment_id, { limit, offset });
    return formatListSection({ ...found, rows: found.rows.map((row) => asA2aConnection(row, urls.gateway)) });
  });
};
