import { ACCESS_TOKEN_TYPE, AUTHORITY_DETAILS_TYPE } from '@svc/contract/agents/oauth.ts';
import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { isAllowed } from '@svc/domain/tools/destinations/allowlist.ts';
import { readEntries } from '@svc/domain/tools/destinations/destinations-within.ts';
import { hasAuthority, resolveTokenAuthority, type TokenAuthority } from '@svc/enforcement/govern/token-authority.ts';
import { type ActClaim, type DelegatedClaims, signDelegatedToken } from '@svc/keyring/tokens/delegated-token.ts';
import type { GatewayDeps } from '../../../deps.ts';
import { type AuthenticatedActor, authenticateActor } from './authenticate-actor.ts';
import { readTarget, type TokenTarget } from './read-target.ts';
import type { TokenCall } from './redeem-client.ts';
import { buildOauthRefusal } from './refuse-as.ts';

const isReached = ({ destinations }: TokenAuthority, { destination }: TokenTarget): boolean =>
  destinations === null || (destination !== null && isAllowed(readEntries(destinations), destination));

/** Returns the requested capabilities; all of the chain's if none is named. */
const readScope = ({ capabilities }: TokenAuthority, scope: string | undefined): readonly string[] | Refusal<'UNPROCESSABLE'> => {
  const words = new Set(scope?.split(' ').filter((word) => word !== '') ?? capabilities);
  if (words.size === 0) return buildOauthRefusal('invalid_scope', 'The chain of delegations leaves no capability.');
  const left = new Set(capabilities);
  return [...words].every((word) => left.has(word))
    ? [...words].sort()
    : buildOauthRefusal('invalid_scope', 'scope may contain only capabilities that the chain of delegations leaves to the agent.');
};

/** Nests the actors: the last agent of a chain is the outermost. */
const nest = (actors: readonly string[]): ActClaim | undefined =>
  actors.reduce<ActClaim | undefined>((act, sub) => (act === undefined ? { sub } : { sub, act }), undefined);

/** Returns the bounds of a chain other than its capabilities. */
const describeBounds = ({ tools, ceilings }: TokenAuthority): Pick<DelegatedClaims, 'authorization_details'> =>
  tools === null && ceilings.length === 0
    ? {}
    : {
        authorization_details: [
          { type: AUTHORITY_DETAILS_TYPE, ...(tools === null ? {} : { tools }), ...(ceilings.length === 0 ? {} : { ceilings }) },
        ],
      };

const buildClaims = (
  deps: GatewayDeps,
  actor: AuthenticatedActor,
  authority: TokenAuthority,
  terms: Pick<DelegatedClaims, 'aud' | 'scope' | 'iat' | 'exp'>,
): Omit<DelegatedClaims, 'jti'> => {
  const { claims } = actor;
  const act = nest(authority.actors);
  return {
    iss: deps.tokenScope.issuer,
    sub: authority.root_principal_id,
    client_id: claims.agent_id,
    ...terms,
    ...(act === undefined ? {} : { act }),
    ...describeBounds(authority),
    ...(actor.jkt === null ? {} : { cnf: { jkt: actor.jkt } }),
    org: claims.organization_id,
    env: claims.environment_id,
    ...(authority.delegation_id === null ? {} : { del: authority.delegation_id }),
    gen: claims.key_generation,
    ser: claims.session_series,
    sid: claims.session_id,
  };
};

/**
 * Exchanges the authority of an agent for a token that an external service verifies (RFC 8693). It never outlives the chain or the session.
 */
export const exchangeToken = async (call: TokenCall, deps: GatewayDeps) => {
  const target = readTarget(deps.tokenScope, call.body);
  if (isRefusal(target)) return target;
  const actor = await authenticateActor(call, deps);
  if (isRefusal(actor)) return actor;
  const authority = resolveTokenAuthority({ ...actor, now: call.now }, actor.delegationId);
  if (!hasAuthority(authority)) return buildOauthRefusal('invalid_grant', authority.reason);
  if (!isReached(authority, target)) return buildOauthRefusal('invalid_target', 'The chain of delegations does not cover this service.');
  const capabilities = readScope(authority, call.body.scope);
  if (isRefusal(capabilities)) return capabilities;
  const scope = capabilities.join(' ');
  const iat = Math.floor(call.now.getTime() / 1000);
  const ends = Math.min(authority.expiresAtMs, actor.claims.expiresAtMs) / 1000;
  const exp = Math.min(Math.floor(ends), iat + deps.settings.agentTokenLifetimeSeconds);
  if (exp <= iat) return buildOauthRefusal('invalid_grant', 'The authority of the agent ends at this moment.');
  const access_token = signDelegatedToken(
    deps.platformKeys.keys,
    buildClaims(deps, actor, authority, { aud: target.audience, scope, iat, exp }),
  );
  if (access_token.length > LIMITS.tokenExchange.tokenCharsMax)
    return buildOauthRefusal('invalid_scope', 'The token would be too long. Request fewer capabilities, or use a narrower delegation.');
  return {
    access_token,
    issued_token_type: ACCESS_TOKEN_TYPE,
    token_type: actor.jkt === null ? ('Bearer' as const) : ('DPoP' as const),
    expires_in: exp - iat,
    scope,
  };
};
