import { randomUUID } from 'node:crypto';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { PlatformKeys } from '../sealed/platform-key.ts';
import { encodeHeader, signCompactJws, splitCompactJws, verifyCompactJws } from './compact-jws.ts';

/** Agents of a chain: the current actor, and within it the one before (RFC 8693, section 4.1). */
export type ActClaim = { readonly sub: string; readonly act?: ActClaim };

/** Bounds of a chain that a scope cannot express (RFC 9396). */
export type AuthorityDetails = {
  readonly type: string;
  readonly tools?: readonly string[];
  readonly ceilings?: readonly Readonly<Record<string, unknown>>[];
};

/** Claims of a token for a service outside. */
export type DelegatedClaims = {
  readonly iss: string;
  readonly aud: string;
  /** The person or agent that gave the authority first. */
  readonly sub: string;
  readonly client_id: string;
  readonly iat: number;
  readonly exp: number;
  readonly jti: string;
  readonly scope: string;
  readonly act?: ActClaim;
  readonly authorization_details?: readonly AuthorityDetails[];
  readonly cnf?: { readonly jkt: string };
  readonly org: string;
  readonly env: string;
  /** The delegation that it rests on; absent where the agent acts on its own grants. */
  readonly del?: string;
  readonly gen: number;
  readonly ser: number;
  readonly sid: string;
};

/** Type of access tokens of RFC 9068. It differs from that of agent tokens, so that no gateway takes one for the other. */
const TOKEN_TYPE = 'at+jwt';

export const signDelegatedToken = (keys: PlatformKeys, claims: Omit<DelegatedClaims, 'jti'>): string =>
  signCompactJws(encodeHeader(TOKEN_TYPE, keys.signing.kid), { jti: randomUUID(), ...claims }, keys.signing.privateKey);

/** Reads a token that this service signed and that has not expired; null for any other text. */
export const verifyDelegatedToken = (keys: PlatformKeys, token: string, nowMs: number): DelegatedClaims | null => {
  const jws = splitCompactJws(token, LIMITS.tokenExchange.tokenCharsMax);
  if (jws === null) return null;
  for (const [kid, publicKey] of keys.accepted) {
    if (jws.encodedHeader !== encodeHeader(TOKEN_TYPE, kid)) continue;
    if (!verifyCompactJws(jws, publicKey)) return null;
    // Signed by our own key under this type: the members are those that signDelegatedToken writes.
    const claims: DelegatedClaims = JSON.parse(jws.payload.toString('utf8'));
    return claims.exp * 1000 > nowMs ? claims : null;
  }
  return null;
};
