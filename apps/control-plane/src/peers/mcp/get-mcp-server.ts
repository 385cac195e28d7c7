import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asMcpServer } from '@svc/operations/peers/mcp/as-mcp-server.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findMcpServer } from '@svc/postgres/peers/mcp/mcp-servers.ts';
import type { PeersDeps } from '../deps.ts';

export const getMcpServer: Handler<Endpoints['getMcpServer'], PeersDeps> = (call, { urls }) =>
  readInTenant(call.database, call.scope, async (tx) => {
    const server = await findMcpServer(tx, call.scope.organization_id, call.params.serverId);
    return server ? asMcpServer(server, urls.gateway) : call.refuse('NOT_FOUND');
  });
