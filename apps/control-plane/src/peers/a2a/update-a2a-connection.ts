import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asA2aConnection } from '@svc/operations/peers/a2a/as-a2a-connection.ts';
import { updateA2aConnection as update } from '@svc/operations/peers/a2a/update-a2a-connection.ts';
import { MISSING_SEND_PERMISSION, SENDING } from '@svc/operations/tools/tools/credential-refusal.ts';
import type { PeersDeps } from '../deps.ts';
import { findUrlFault } from '../mcp/listing/url-fault.ts';

const TAKEN = 'An A2A connection with this name already exists in this environment.';

export const updateA2aConnection: Handler<Endpoints['updateA2aConnection'], PeersDeps> = async (call, { urls }) => {
  const { body, params } = call;
  for (const member of ['card_url', 'agent_url'] as const) {
    const url = body[member];
    const fault = url === undefined ? undefined : findUrlFault(url);
    if (fault !== undefined) return call.fault(`/${member}`, fault);
  }
  // Another path is another destination for the credential.
  if ((body.credential_id || body.card_url || body.agent_url) && !call.holds(SENDING))
    return call.refuse('PERMISSION_DENIED', MISSING_SEND_PERMISSION, { permissions: [SENDING] });
  return call.change(
    async (change) => {
      const updated = await update(change, { ...asActing(call), body, connectionId: params.a2aConnectionId });
      return isRefusal(updated) ? updated : asA2aConnection(updated, urls.gateway);
    },
    { a2a_connections_name_is_unique: () => call.refuse('ALREADY_EXISTS', TAKEN) },
  );
};
