import type { Introspection } from '@svc/contract/agents/oauth.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { findSessionRefusal } from '@svc/enforcement/govern/session-refusal.ts';
import { hasAuthority, resolveTokenAuthority } from '@svc/enforcement/govern/token-authority.ts';
import { loadCurrent } from '@svc/enforcement/ports/load-current.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { type DelegatedClaims, verifyDelegatedToken } from '@svc/keyring/tokens/delegated-token.ts';
import { findAgent } from '@svc/postgres/agents/agents/agents.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { AgentsDeps } from '../deps.ts';

const INACTIVE: Introspection = { active: false };

type IntrospectionCall = Call<Endpoints['introspectToken']>;

const describeActive = (claims: DelegatedClaims, scope: string): Introspection => {
  const { iss, aud, sub, client_id, iat, exp, jti, act, authorization_details, cnf, env, del } = claims;
  return {
    active: true,
    token_type: cnf === undefined ? 'Bearer' : 'DPoP',
    ...{ iss, aud, sub, client_id, iat, exp, jti, scope, environment_id: env },
    ...(act === undefined ? {} : { act: { ...act } }),
    ...(authorization_details === undefined ? {} : { authorization_details: authorization_details.map((each) => ({ ...each })) }),
    ...(del === undefined ? {} : { delegation_id: del }),
    ...(cnf === undefined ? {} : { cnf: { ...cnf } }),
  };
};

/** Checks the claims against the current state: the session, each agent and delegation of the chain, and their bounds. */
const check = async (
  call: IntrospectionCall,
  { pipeline }: AgentsDeps,
  claims: DelegatedClaims,
): Promise<Introspection | Refusal<'IDENTITY_SERVICE_UNAVAILABLE'>> => {
  const current = await loadCurrent(pipeline, call, claims.org, claims.client_id);
  if (isRefusal(current)) return call.refuse('IDENTITY_SERVICE_UNAVAILABLE');
  if (current === undefined) return INACTIVE;
  const { agent } = current;
  const ended = findSessionRefusal(agent, { id: claims.sid, generation: claims.gen, series: claims.ser }, call.now.getTime());
  if (ended !== undefined || agent.environment_id !== claims.env) return INACTIVE;
  const authority = resolveTokenAuthority({ ...current, now: call.now }, claims.del ?? null);
  if (!hasAuthority(authority) || (authority.delegation_id ?? undefined) !== claims.del) return INACTIVE;
  const left = new Set(authority.capabilities);
  const words = claims.scope.split(' ').filter((word) => left.has(word));
  return words.length === 0 ? INACTIVE : describeActive(claims, words.join(' '));
};

/** The response for an inactive token is the same for every reason, so it discloses nothing about other organizations. */
export const introspectToken: Handler<Endpoints['introspectToken'], AgentsDeps> = async (call, deps) => {
  await deps.platformKeys.renew();
  const claims = verifyDelegatedToken(deps.platformKeys.keys, call.body.token, call.now.getTime());
  if (claims === null || claims.org !== call.caller.organizationId) return INACTIVE;
  const agent = await readInTenant(call.database, call.scope, (tx) => findAgent(tx, claims.org, claims.client_id));
  return agent === undefined ? INACTIVE : check(call, deps, claims);
};
