import type { AreaHandlers } from '@svc/http/calls/call.ts';
import type { GatewayDeps } from '../deps.ts';
import { delegate } from './delegations/delegate.ts';
import { endAgentSession } from './identity/end-agent-session.ts';
import { getPlatformKey } from './identity/get-platform-key.ts';
import { handshake } from './identity/handshake.ts';
import { mintToken } from './identity/mint-token.ts';

/** One handler per row of this area of the gateway; one that is missing, or of another area, does not compile. */
export const agentsHandlers: AreaHandlers<'gateway', 'agents', GatewayDeps> = {
  getPlatformKey,
  mintToken,
  handshake,
  endAgentSession,
  delegate,
};
