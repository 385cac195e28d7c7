import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { WIRE_NAME } from '@svc/contract/tables/wire-name.ts';
import type { PlatformKeys } from '../sealed/platform-key.ts';
import { type CompactJws, encodeHeader, signCompactJws, splitCompactJws, verifyCompactJws } from './compact-jws.ts';

/**
 * Claims of an agent token. They identify the agent; its permissions come from the governance state at each decision, never from the token.
 */
export type AgentTokenClaims = {
  readonly agent_id: string;
  readonly session_id: string;
  readonly organization_id: string;
  readonly environment_id: string;
  readonly key_generation: number;
  /** Increases when all sessions of the agent are revoked. */
  readonly session_series: number;
  /** The client library that the agent reported; null in a token without one. */
  readonly sdk_name: string | null;
  /** The only endpoint that the token is valid for, as an address below the audience; null for the whole gateway. */
  readonly resource: string | null;
  /** Thumbprint of the key that each use of the token has to prove (RFC 9449, DPoP); null for a bearer token. */
  readonly jkt: string | null;
  /** Flow context that the assertion named; null if none. */
  readonly context: string | null;
  readonly expiresAtMs: number;
  /** The platform key that signed it. */
  readonly kid: string;
};

export type AgentTokenSubject = Omit<AgentTokenClaims, 'expiresAtMs' | 'kid'>;

/** The issuer of the tokens and the gateway they are for: both are the same on every instance of one deployment. */
export type TokenScope = { readonly issuer: string; readonly audience: string };

export type AgentTokenRefusal = Refusal<'UNAUTHENTICATED' | 'AGENT_TOKEN_EXPIRED'>;

export const TOKEN_CHARS_MAX = 2048;
const TOKEN_TYPE = `${WIRE_NAME}-agent+jwt`;

/** Signs a JWT (RFC 7519) for one agent session. Times are whole seconds since the epoch, as JWT requires. */
export const signAgentToken = (
  keys: PlatformKeys,
  scope: TokenScope,
  subject: AgentTokenSubject,
  issuedAtMs: number,
  lifetimeSeconds: number,
): string => {
  const issuedAt = Math.floor(issuedAtMs / 1000);
  const claims = {
    iss: scope.issuer,
    aud: subject.resource === null ? scope.audience : [scope.audience, subject.resource],
    sub: subject.agent_id,
    jti: subject.session_id,
    iat: issuedAt,
    exp: issuedAt + lifetimeSeconds,
    org: subject.organization_id,
    env: subject.environment_id,
    gen: subject.key_generation,
    ser: subject.session_series,
    ...(subject.sdk_name === null ? {} : { sdk: subject.sdk_name }),
    ...(subject.jkt === null ? {} : { cnf: { jkt: subject.jkt } }),
    ...(subject.context === null ? {} : { ctx: subject.context }),
  };
  return signCompactJws(encodeHeader(TOKEN_TYPE, keys.signing.kid), claims, keys.signing.privateKey);
};

/** Returns the accepted key that signed a token. Its header must be, byte for byte, one of the few that this service writes. */
const getSigner = (keys: PlatformKeys, jws: CompactJws): string | null => {
  for (const [kid, publicKey] of keys.accepted) {
    if (jws.encodedHeader === encodeHeader(TOKEN_TYPE, kid)) return verifyCompactJws(jws, publicKey) ? kid : null;
  }
  return null;
};

/**
 * Returns the resource that an audience names in addition to the gateway; null if it names none, undefined if it is for another gateway.
 */
const readResource = (aud: unknown, { audience }: TokenScope): string | null | undefined => {
  if (!Array.isArray(aud)) return aud === audience ? null : undefined;
  const [first, resource] = aud;
  return first === audience && typeof resource === 'string' ? resource : undefined;
};

/**
 * Returns the claims of a token; UNAUTHENTICATED if it was not issued here for this gateway, AGENT_TOKEN_EXPIRED if it was and has expired.
 */
export const verifyAgentToken = (
  keys: PlatformKeys,
  scope: TokenScope,
  token: string,
  nowMs: number,
): AgentTokenClaims | AgentTokenRefusal => {
  const jws = splitCompactJws(token, TOKEN_CHARS_MAX);
  const kid = jws === null ? null : getSigner(keys, jws);
  if (jws === null || kid === null) return buildRefusal('UNAUTHENTICATED');
  // Signed by our own key under our own type: the members are those that signAgentToken writes.
  const claims = JSON.parse(jws.payload.toString('utf8'));
  const resource = readResource(claims.aud, scope);
  if (claims.iss !== scope.issuer || resource === undefined) return buildRefusal('UNAUTHENTICATED');
  const expiresAtMs = claims.exp * 1000;
  if (!(expiresAtMs > nowMs)) return buildRefusal('AGENT_TOKEN_EXPIRED');
  return {
    agent_id: claims.sub,
    session_id: claims.jti,
    organization_id: claims.org,
    environment_id: claims.env,
    key_generation: claims.gen,
    session_series: claims.ser,
    sdk_name: claims.sdk ?? null,
    resource,
    jkt: claims.cnf?.jkt ?? null,
    context: claims.ctx ?? null,
    expiresAtMs,
    kid,
  };
};
