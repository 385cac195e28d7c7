import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asA2aConnection } from '@svc/operations/peers/a2a/as-a2a-connection.ts';
import { registerA2aConnection as register } from '@svc/operations/peers/a2a/register-a2a-connection.ts';
import { MISSING_SEND_PERMISSION, SENDING } from '@svc/operations/tools/tools/credential-refusal.ts';
import type { PeersDeps } from '../deps.ts';
import { findUrlFault } from '../mcp/listing/url-fault.ts';

const TAKEN = 'An A2A connection with this name already exists in this environment.';
const TOOL_TAKEN = 'A tool with the name of the connection was registered at the same moment. Try again.';

export const registerA2aConnection: Handler<Endpoints['registerA2aConnection'], PeersDeps> = async (call, { urls }) => {
  const { body } = call;
  const fault = findUrlFault(body.card_url);
  if (fault !== undefined) return call.fault('/card_url', fault);
  const agentFault = body.agent_url ? findUrlFault(body.agent_url) : undefined;
  if (agentFault !== undefined) return call.fault('/agent_url', agentFault);
  if (body.credential_id && !call.holds(SENDING))
    return call.refuse('PERMISSION_DENIED', MISSING_SEND_PERMISSION, { permissions: [SENDING] });
  const id = call.newId('a2a_connection');
  return call.change(
    async (change) => {
      const registered = await register(change, { ...asActing(call), body }, id);
      return isRefusal(registered) ? registered : asA2aConnection(registered, urls.gateway);
    },
    {
      a2a_connections_name_is_unique: () => call.refuse('ALREADY_EXISTS', TAKEN),
      tools_name_is_unique: () => call.refuse('ALREADY_EXISTS', TOOL_TAKEN),
    },
  );
};
