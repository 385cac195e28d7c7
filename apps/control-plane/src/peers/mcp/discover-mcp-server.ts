import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { nameOffer } from '@svc/domain/peers/mcp/compare-listing.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asMcpServer, asMcpTool } from '@svc/operations/peers/mcp/as-mcp-server.ts';
import { discoverMcpServer as discover, type RunListingChange } from '@svc/operations/peers/mcp/discover-mcp-server.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { allMcpTools } from '@svc/postgres/peers/mcp/mcp-tools.ts';
import type { PeersDeps } from '../deps.ts';

type DiscoverMcpServer = Endpoints['discoverMcpServer'];

export const discoverMcpServer: Handler<DiscoverMcpServer, PeersDeps> = (call, { discoveries, tokens, credentialKey, urls }) => {
  const { organization_id } = call.scope;
  const { serverId } = call.params;
  // The rest waits for a third-party server.
  call.onCall();
  return discoveries.inTurn(organization_id, async () => {
    const changing: RunListingChange = (work) => call.change(work) as ReturnType<typeof work>;
    const asked = { ...asActing(call), serverId, isScheduled: false };
    const found = await discover(changing, asked, { egress: discoveries.egress, tokens, credentialKey });
    if (isRefusal(found)) return found as ReturnType<typeof call.refuse>;
    const { server, compared, needsCredential } = found;
    const changes = new Map(compared.map(({ known, listed, change }) => [nameOffer(listed ?? known), change]));
    const tools = await readInTenant(call.database, call.scope, (tx) => allMcpTools(tx, organization_id, serverId));
    return {
      server: asMcpServer(server, urls.gateway),
      tools: tools.map((tool) => ({ ...asMcpTool(tool, server), change: changes.get(nameOffer(tool)) ?? 'SAME' })),
      ...(needsCredential === undefined ? {} : { needs_credential: needsCredential }),
    };
  });
};
