import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asMcpServer } from '@svc/operations/peers/mcp/as-mcp-server.ts';
import { releaseMcpServer as release } from '@svc/operations/peers/mcp/release-mcp-server.ts';
import type { PeersDeps } from '../deps.ts';

export const releaseMcpServer: Handler<Endpoints['releaseMcpServer'], PeersDeps> = async (call, { urls }) => {
  return call.change(async (change) => {
    const released = await release(change, { ...asActing(call), body: call.body, serverId: call.params.serverId });
    return isRefusal(released) ? released : asMcpServer(released, urls.gateway);
  });
};
