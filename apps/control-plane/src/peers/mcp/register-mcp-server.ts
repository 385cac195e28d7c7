import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asMcpServer } from '@svc/operations/peers/mcp/as-mcp-server.ts';
import { registerMcpServer as register } from '@svc/operations/peers/mcp/register-mcp-server.ts';
import { MISSING_SEND_PERMISSION, SENDING } from '@svc/operations/tools/tools/credential-refusal.ts';
import type { PeersDeps } from '../deps.ts';
import { findUrlFault } from './listing/url-fault.ts';

const TAKEN = 'An MCP server with this name already exists in this environment.';

export const registerMcpServer: Handler<Endpoints['registerMcpServer'], PeersDeps> = async (call, { urls }) => {
  const { body } = call;
  const fault = findUrlFault(body.transport.url);
  if (fault !== undefined) return call.fault('/transport/url', fault);
  if (body.credential_id && !call.holds(SENDING))
    return call.refuse('PERMISSION_DENIED', MISSING_SEND_PERMISSION, { permissions: [SENDING] });
  const id = call.newId('mcp_server');
  return call.change(
    async (change) => {
      const registered = await register(change, { ...asActing(call), body }, id);
      return isRefusal(registered) ? registered : asMcpServer(registered, urls.gateway);
    },
    {
      mcp_servers_name_is_unique: () => call.refuse('ALREADY_EXISTS', TAKEN),
    },
  );
};
