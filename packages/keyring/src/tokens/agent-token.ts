import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { WIRE_NAME } from '@svc/contract/tables/wire-name.ts';
import type { PlatformKeys } from '../sealed/platform-key.ts';
import { type CompactJws, encodeHeader, signCompactJws, splitCompactJws, verifyCompactJws } from './compact-jws.ts';

/** What a token says. It names who speaks; what they may do is asked of the governance state at each decision, never of the token. */
export type AgentTokenClaims = {
  readonly agent_id: string;
  readonly session_id: string;
  readonly organization_id: string;
  readonly environment_id: string;
  readonly key_generation: number;
  /** Moves when every session of the agent is killed. */
  readonly session_series: number;
  /** What the agent said its client library is called; null in a token that does not say. */
  readonly sdk_name: string | null;
  /** The only endpoint that the token opens, as an address below the audience; null for the whole gateway. */
  readonly resource: string | null;
  /** Thumbprint of the key that each use of the token has to prove (RFC 9449); null for a bearer token. */
  readonly jkt: string | null;
  /** Flow context that the assertion named; null if none. */
  readonly context: string | null;
  readonly expiresAtMs: number;
  /** The platform key that signed it. */
  readonly kid: string;
};

export type AgentTokenSubject = Omit<AgentTokenClaims, 'expiresAtMs' | 'kid'>;

/** Who issues the tokens and which gateway they are for: both are the same on every instance of one deployment. */
export type TokenScope = { readonly issuer: string; readonly audience: string };

export type AgentTokenRefusal = Refusal<'UNAUTHENTICATED' | 'AGENT_TOKEN_EXPIRED'>;

export const TOKEN_CHARS_MAX = 2048;
const TOKEN_TYPE = `${WIRE_NAME}-agent+jwt`;

/** A JWT (RFC 7519) for one agent session. Its times are whole seconds since the epoch, as JWT requires. */
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

/** The accepted key that signed it. A token's header is one of the few that this service writes, byte for byte, or it is no token. */
const signerOf = (keys: PlatformKeys, jws: CompactJws): string | null => {
  for (const [kid, publicKey] of keys.accepted) {
    if (jws.encodedHeader === encodeHeader(TOKEN_TYPE, kid)) return verifyCompactJws(jws, publicKey) ? kid : null;
  }
  return null;
};

/** Returns the resource that an audience names in addition to the gateway, null where it names none, undefined where it is for another gateway. */
const readResource = (aud: unknown, { audience }: TokenScope): string | null | undefined => {
  if (!Array.isArray(aud)) return aud === audience ? null : undefined;
  const [first, resource] = aud;
  return first === audience && typeof resource === 'string' ? resource : undefined;
};

/** What the token says, UNAUTHENTICATED when it was not made here for this gateway, or AGENT_TOKEN_EXPIRED when it was and is over. */
export const verifyAgentToken = (
  keys: PlatformKeys,
  scope: TokenScope,
  token: string,
  nowMs: number,
): AgentTokenClaims | AgentTokenRefusal => {
  const jws = splitCompactJws(token, TOKEN_CHARS_MAX);
  const kid = jws === null ? null : signerOf(keys, jws);
  if (jws === null || kid === null) return refusal('UNAUTHENTICATED');
  // Signed by our own key under our own type: the members are those that signAgentToken writes.
  const claims = JSON.parse(jws.payload.toString('utf8'));
  const resource = readResource(claims.aud, scope);
  if (claims.iss !== scope.issuer || resource === undefined) return refusal('UNAUTHENTICATED');
  const expiresAtMs = claims.exp * 1000;
  if (!(expiresAtMs > nowMs)) return refusal('AGENT_TOKEN_EXPIRED');
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
