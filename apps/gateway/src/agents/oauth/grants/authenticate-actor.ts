import { ACCESS_TOKEN_TYPE, DELEGATION_TOKEN_TYPE, OAUTH_PATHS } from '@svc/contract/agents/oauth.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { findSessionRefusal } from '@svc/enforcement/govern/session-refusal.ts';
import { type Current, loadCurrent } from '@svc/enforcement/ports/load-current.ts';
import type { AgentTokenClaims } from '@svc/keyring/tokens/agent-token.ts';
import { isDpopFault } from '@svc/keyring/tokens/dpop-proof.ts';
import type { GatewayDeps } from '../../../deps.ts';
import { checkProof, PROOF_REQUIRED, refuseProof, spendProof } from '../../identity/dpop/prove-possession.ts';
import type { RedeemRefusal } from '../../identity/sign-in/exchange-assertion.ts';
import { spendToken } from '../../identity/sign-in/spend-token.ts';
import { redeemClient, type TokenCall } from './redeem-client.ts';
import { buildOauthRefusal } from './refuse-as.ts';

export type AuthenticatedActor = Current & {
  readonly claims: AgentTokenClaims;
  /** The key that the exchanged token is bound to; null for a bearer token. */
  readonly jkt: string | null;
  /** The delegation that the subject token names; null if it is the token of the agent. */
  readonly delegationId: string | null;
};

export type ActorRefusal = Refusal<RedeemRefusal['refused'] | 'UNPROCESSABLE'>;

type Found = { readonly claims: AgentTokenClaims; readonly isPaid: boolean };

const readToken = (deps: GatewayDeps, name: 'subject_token' | 'actor_token', token: string, now: Date) => {
  const claims = deps.tokens.read(deps.platformKeys.keys, token, now.getTime());
  if (isRefusal(claims)) return buildOauthRefusal('invalid_request', `${name} must be a valid token of an agent.`);
  return claims.resource === null
    ? claims
    : buildOauthRefusal('invalid_request', `${name} is for one endpoint only. Send a token without a resource.`);
};

const typesFault = ({ subject_token, subject_token_type, actor_token, actor_token_type, requested_token_type }: TokenCall['body']) => {
  if (subject_token === undefined || (subject_token_type !== ACCESS_TOKEN_TYPE && subject_token_type !== DELEGATION_TOKEN_TYPE))
    return `Send subject_token, and subject_token_type ${ACCESS_TOKEN_TYPE} or ${DELEGATION_TOKEN_TYPE}.`;
  if (actor_token === undefined ? actor_token_type !== undefined : actor_token_type !== ACCESS_TOKEN_TYPE)
    return `Send actor_token with actor_token_type ${ACCESS_TOKEN_TYPE}, or neither.`;
  return requested_token_type === undefined || requested_token_type === ACCESS_TOKEN_TYPE
    ? undefined
    : `requested_token_type must be ${ACCESS_TOKEN_TYPE}.`;
};

/** Reads the agent of every credential in the request; they must agree. */
const readActor = async (call: TokenCall, deps: GatewayDeps): Promise<Found | ActorRefusal> => {
  const { subject_token = '', subject_token_type, actor_token, client_assertion } = call.body;
  const read: AgentTokenClaims[] = [];
  for (const [name, token] of [
    ['actor_token', actor_token],
    ['subject_token', subject_token_type === ACCESS_TOKEN_TYPE ? subject_token : undefined],
  ] as const) {
    const claims = token === undefined ? undefined : readToken(deps, name, token, call.now);
    if (isRefusal(claims)) return claims;
    if (claims !== undefined) read.push(claims);
  }
  if (client_assertion !== undefined) {
    const redeemed = await redeemClient(call, deps, null);
    if (isRefusal(redeemed)) return redeemed;
    const claims = readToken(deps, 'actor_token', redeemed.grant.token, call.now);
    if (isRefusal(claims)) return claims;
    read.unshift(claims);
  }
  const [claims] = read;
  if (claims === undefined) return buildOauthRefusal('invalid_client', 'Send actor_token, or sign in with private_key_jwt.');
  if (read.some(({ agent_id }) => agent_id !== claims.agent_id))
    return buildOauthRefusal(
      'invalid_grant',
      'The tokens are of different agents. An agent acts for another one under a delegation: send its id as subject_token.',
    );
  return { claims, isPaid: client_assertion !== undefined };
};

/** Proves possession of the key that the agent's token is bound to. An assertion has already proved it. */
const proveActor = async (call: TokenCall, deps: GatewayDeps, { claims, isPaid }: Found): Promise<string | null | ActorRefusal> => {
  const text = call.header('dpop');
  if (isPaid || (text === undefined && claims.jkt === null)) return claims.jkt;
  if (text === undefined) return refuseProof(PROOF_REQUIRED);
  const bound = claims.jkt === null ? {} : { jkt: claims.jkt };
  const proof = checkProof(deps, { proof: text, method: 'POST', path: OAUTH_PATHS.token, now: call.now, ...bound });
  if (isDpopFault(proof)) return refuseProof(proof);
  const spent = await spendProof(deps, call, claims.organization_id, proof, call.now);
  if (spent === undefined) return proof.jkt;
  return isRefusal(spent) ? spent : refuseProof(spent);
};

/** Authenticates the agent that requests an exchange, by its tokens or its assertion, and reads its current state. */
export const authenticateActor = async (call: TokenCall, deps: GatewayDeps): Promise<AuthenticatedActor | ActorRefusal> => {
  const fault = typesFault(call.body);
  if (fault !== undefined) return buildOauthRefusal('invalid_request', fault);
  const found = await readActor(call, deps);
  if (isRefusal(found)) return found;
  const { claims, isPaid } = found;
  const spent = isPaid ? undefined : await spendToken(deps, claims.agent_id);
  if (spent !== undefined) return spent;
  const current = await loadCurrent(deps.pipeline, call, claims.organization_id, claims.agent_id);
  if (isRefusal(current)) return buildRefusal('IDENTITY_SERVICE_UNAVAILABLE');
  const unproven = await proveActor(call, deps, found);
  if (isRefusal(unproven)) return unproven;
  const session = { id: claims.session_id, generation: claims.key_generation, series: claims.session_series };
  if (current === undefined || findSessionRefusal(current.agent, session, call.now.getTime()) !== undefined)
    return buildOauthRefusal('invalid_grant', 'The session of the agent has ended. Sign in again with a new assertion.');
  const { subject_token = '', subject_token_type } = call.body;
  return { ...current, claims, jkt: unproven, delegationId: subject_token_type === DELEGATION_TOKEN_TYPE ? subject_token : null };
};
