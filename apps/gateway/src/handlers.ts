import type { Handlers } from '@svc/http/calls/call.ts';
import { act } from './actions/actions/act.ts';
import { getOwnAction } from './actions/actions/get-own-action.ts';
import { reportOutcome } from './actions/actions/report-outcome.ts';
import { getOwnApproval } from './actions/approvals/get-own-approval.ts';
import { delegate } from './agents/delegations/delegate.ts';
import { endAgentSession } from './agents/identity/end-agent-session.ts';
import { getPlatformKey } from './agents/identity/get-platform-key.ts';
import { handshake } from './agents/identity/handshake.ts';
import { mintToken } from './agents/identity/mint-token.ts';
import type { GatewayDeps } from './deps.ts';
import { gatewayLive } from './service/health/gateway-live.ts';
import { gatewayReady } from './service/health/gateway-ready.ts';

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
