import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { authorizeMcpTool as authorize } from '@svc/operations/peers/mcp/authorize-mcp-tool.ts';
import type { PeersDeps } from '../deps.ts';

const TAKEN = 'Another tool was registered under the same name at the same moment. Try again.';

export const authorizeMcpTool: Handler<Endpoints['authorizeMcpTool'], PeersDeps> = (call) => {
  const { serverId, mcpToolId: id } = call.params;
  const { steppedUpUntil } = call.caller;
  const request = { ...asActing(call), body: call.body, serverId, id, steppedUpUntil, holds: call.holds };
  return call.change((change) => authorize(change, request), {
    tools_name_is_unique: () => call.refuse('ALREADY_EXISTS', TAKEN),
  });
};
