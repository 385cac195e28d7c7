import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asMcpServer } from '@svc/operations/peers/mcp/as-mcp-server.ts';
import { disableMcpServer as disable } from '@svc/operations/peers/mcp/disable-mcp-server.ts';
import type { PeersDeps } from '../deps.ts';

export const disableMcpServer: Handler<Endpoints['disableMcpServer'], PeersDeps> = async (call, { urls }) => {
  return call.change(async (change) => {
    const disabled = await disable(change, { ...asActing(call), body: call.body, serverId: call.params.serverId });
    return isRefusal(disabled) ? disabled : asMcpServer(disabled, urls.gateway);
  });
};
