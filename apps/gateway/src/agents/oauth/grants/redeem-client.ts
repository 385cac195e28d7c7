import { OAUTH_PATHS } from '@svc/contract/agents/oauth.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Call } from '@svc/http/calls/call.ts';
import { readClientAssertion } from '@svc/keyring/tokens/read-client-assertion.ts';
import type { GatewayDeps } from '../../../deps.ts';
import type { RedeemedAssertion, RedeemRefusal } from '../../identity/sign-in/exchange-assertion.ts';
import { redeemAssertion } from '../../identity/sign-in/redeem-assertion.ts';

export type TokenCall = Call<Endpoints['issueOauthToken']>;

/** Library of sessions from this endpoint, which do not use ours. */
const CLIENT_LIBRARY = { name: 'oauth', version: '2.0', runtime: 'unknown' };

/** OAuth errors have one text, so the fault of the assertion becomes the message. */
const explainFault = (refused: RedeemRefusal): RedeemRefusal =>
  typeof refused.details?.fault === 'string' ? { ...refused, message: refused.details.fault } : refused;

/** Authenticates the client by its assertion (RFC 7523) and begins a session of the agent. */
export const redeemClient = async (
  call: TokenCall,
  deps: GatewayDeps,
  resource: string | null,
): Promise<RedeemedAssertion | RedeemRefusal> => {
  const { issuer } = deps.tokenScope;
  const read = readClientAssertion(call.body.client_assertion);
  const named = 'fault' in read ? '' : read.claims.agent_id;
  const redeemed = await redeemAssertion(deps, call, {
    agent_id: call.body.client_id ?? named,
    read,
    sdk: CLIENT_LIBRARY,
    // RFC 7523, section 3: the address of the token endpoint is accepted too; clients from before 2025 send it.
    audiences: [issuer, issuer + OAUTH_PATHS.token],
    resource,
    proof: { text: call.header('dpop'), path: OAUTH_PATHS.token },
  });
  return isRefusal(redeemed) ? explainFault(redeemed) : redeemed;
};
