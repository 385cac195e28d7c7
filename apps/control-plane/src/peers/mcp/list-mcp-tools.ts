import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { formatListSection } from '@svc/http/lists/list-section.ts';
import { asMcpTool } from '@svc/operations/peers/mcp/as-mcp-server.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findMcpServer } from '@svc/postgres/peers/mcp/mcp-servers.ts';
import { listMcpTools as list } from '@svc/postgres/peers/mcp/mcp-tools.ts';
import type { PeersDeps } from '../deps.ts';

export const listMcpTools: Handler<Endpoints['listMcpTools'], PeersDeps> = (call) => {
  const { organization_id } = call.scope;
  const { serverId } = call.params;
  const { limit = LIMITS.pages.defaultCount, offset = 0, status, kind } = call.query;
  return readInTenant(call.database, call.scope, async (tx) => {
    const server = await findMcpServer(tx, organization_id, serverId);
    if (!server) return call.refuse('NOT_FOUND');
    const found = await list(tx, organization_id, { serverId, status, kind }, { limit, offset });
    return formatListSection({ ...found, rows: found.rows.map((tool) => asMcpTool(tool, server)) });
  });
};
