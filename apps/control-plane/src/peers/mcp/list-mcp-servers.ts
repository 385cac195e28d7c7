import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { formatListSection } from '@svc/http/lists/list-section.ts';
import { asMcpServer } from '@svc/operations/peers/mcp/as-mcp-server.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listMcpServers as list } from '@svc/postgres/peers/mcp/mcp-servers.ts';
import type { PeersDeps } from '../deps.ts';

export const listMcpServers: Handler<Endpoints['listMcpServers'], PeersDeps> = (call, { urls }) => {
  const { limit = LIMITS.pages.defaultCount, offset = 0, environment_id } = call.query;
  return readInTenant(call.database, call.scope, async (tx) => {
    const found = await list(tx, call.scope.organization_id, environment_id, { limit, offset });
    return formatListSection({ ...found, rows: found.rows.map((row) => asMcpServer(row, urls.gateway)) });
  });
};
