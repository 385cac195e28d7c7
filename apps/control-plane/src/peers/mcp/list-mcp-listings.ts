import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findMcpServer, listMcpListings as list } from '@svc/postgres/peers/mcp/mcp-servers.ts';
import type { PeersDeps } from '../deps.ts';

export const listMcpListings: Handler<Endpoints['listMcpListings'], PeersDeps> = (call) => {
  const { organization_id } = call.scope;
  const { serverId } = call.params;
  return readInTenant(call.database, call.scope, async (tx) => {
    if (!(await findMcpServer(tx, organization_id, serverId))) return call.refuse('NOT_FOUND');
    const listings = await list(tx, organization_id, serverId);
    return listings.map(({ definitions, taken_by_type, taken_by_id, ...rest }) => ({
      ...rest,
      tools: definitions,
      taken_by: { type: taken_by_type, id: taken_by_id },
    }));
  });
};
