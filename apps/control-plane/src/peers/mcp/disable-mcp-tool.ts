import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { disableMcpTool as disable } from '@svc/operations/peers/mcp/disable-mcp-tool.ts';
import type { PeersDeps } from '../deps.ts';

export const disableMcpTool: Handler<Endpoints['disableMcpTool'], PeersDeps> = (call) => {
  const { serverId, mcpToolId: id } = call.params;
  return call.change((change) => disable(change, { ...asActing(call), body: call.body, serverId, id }));
};
