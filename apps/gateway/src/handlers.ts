import type { Handlers } from '@svc/http/call.ts';
import { act } from './actions/act.ts';
import { getOwnAction } from './actions/get-own-action.ts';
import { reportOutcome } from './actions/report-outcome.ts';
import { getOwnApproval } from './approvals/get-own-approval.ts';
import { delegate } from './delegations/delegate.ts';
import type { GatewayDeps } from './deps.ts';
import { endAgentSession } from './identity/end-agent-session.ts';
import { handshake } from './identity/handshake.ts';
import { mintToken } from './identity/mint-token.ts';
import { gatewayLive } from './meta/gateway-live.ts';
import { gatewayReady } from './meta/gateway-ready.ts';
import { getPlatformKey } from './meta/get-platform-key.ts';

/** One handler per row of the gateway; a missing one does not compile. */
export const handlers: Handlers<'gateway', GatewayDeps> = {
  gatewayLive,
  gatewayReady,
  getPlatformKey,
  mintToken,
  handshake,
  endAgentSession,
  act,
  getOwnAction,
  reportOutcome,
  getOwnApproval,
  delegate,
};
