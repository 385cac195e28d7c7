import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asMcpServer } from '@svc/operations/peers/mcp/as-mcp-server.ts';
import { updateMcpServer as update } from '@svc/operations/peers/mcp/update-mcp-server.ts';
import { MISSING_SEND_PERMISSION, SENDING } from '@svc/operations/tools/tools/credential-refusal.ts';
import type { PeersDeps } from '../deps.ts';
import { findUrlFault } from './listing/url-fault.ts';

export const updateMcpServer: Handler<Endpoints['updateMcpServer'], PeersDeps> = async (call, { urls }) => {
  const { body, params } = call;
  const fault = body.transport && findUrlFault(body.transport.url);
  if (fault !== undefined) return call.fault('/transport/url', fault);
  // A new address is a new destination for the credential.
  if ((body.credential_id || body.transport) && !call.holds(SENDING))
    return call.refuse('PERMISSION_DENIED', MISSING_SEND_PERMISSION, { permissions: [SENDING] });
  return call.change(async (change) => {
    const updated = await update(change, { ...asActing(call), body, serverId: params.serverId });
    return isRefusal(updated) ? updated : asMcpServer(updated, urls.gateway);
  });
};
