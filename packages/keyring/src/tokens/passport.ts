import { createPublicKey, type KeyObject } from 'node:crypto';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { WIRE_NAME } from '@svc/contract/tables/wire-name.ts';
import { type PassportClaims, readPassportClaims } from '@svc/domain/agents/agents/passport-claims.ts';
import { parseStrictTime } from '@svc/domain/agents/agents/strict-time.ts';
import { readBase64Url } from '../bytes/canonical-base64.ts';
import { judgePublicPoint } from '../public-keys/ed25519-point.ts';
import type { PlatformKeys } from '../sealed/platform-key.ts';
import { type CompactJws, encodeHeader, signCompactJws, splitCompactJws, verifyCompactJws } from './compact-jws.ts';
import { readStringMembers } from './read-string-members.ts';

const PASSPORT_TYPE = `${WIRE_NAME}-passport+jws`;
/** Capacity for several hundred capabilities of the longest names. */
const PASSPORT_CHARS_MAX = 65_536;

export type VerifyingJwk = { readonly kty?: unknown; readonly crv?: unknown; readonly x?: unknown; readonly kid?: unknown };

/** Signs a passport as a compact JWS with the platform's signing key. */
export const signPassport = (keys: PlatformKeys, claims: PassportClaims): string =>
  signCompactJws(encodeHeader(PASSPORT_TYPE, keys.signing.kid), claims, keys.signing.privateKey);

const readJwk = ({ kty, crv, x }: VerifyingJwk): KeyObject | null => {
  const raw = typeof x === 'string' ? readBase64Url(x) : null;
  if (kty !== 'OKP' || crv !== 'Ed25519' || raw?.length !== 32 || judgePublicPoint(raw) !== 'sound') return null;
  return createPublicKey({ key: { kty, crv, x: raw.toString('base64url') }, format: 'jwk' });
};

const hasPassportHeader = (jws: CompactJws, kid: unknown): boolean => {
  const header = readStringMembers(jws.header);
  if (header?.size !== 3 || header.get('alg') !== 'EdDSA' || header.get('typ') !== PASSPORT_TYPE) return false;
  return header.has('kid') && (kid === undefined || header.get('kid') === kid);
};

const readPayload = (jws: CompactJws): PassportClaims | null => {
  try {
    return readPassportClaims(JSON.parse(jws.payload.toString('utf8')));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};

/**
 * Verifies a passport with nothing but the issuer's published key (JWK) and the time, without network access.
 * It proves what was true when it was issued. Only the service knows if the agent has been revoked since.
 */
export const verifyPassport = (passport: unknown, jwk: VerifyingJwk, nowMs: number): PassportClaims | Refusal<'PASSPORT_INVALID'> => {
  const publicKey = readJwk(jwk);
  if (publicKey === null) return buildRefusal('PASSPORT_INVALID', 'The key to verify the passport with is not an Ed25519 key.');
  const jws = splitCompactJws(passport, PASSPORT_CHARS_MAX);
  if (jws === null || !hasPassportHeader(jws, jwk.kid))
    return buildRefusal('PASSPORT_INVALID', 'The passport was not signed with the given key.');
  if (!verifyCompactJws(jws, publicKey)) return buildRefusal('PASSPORT_INVALID', 'The signature of the passport is invalid.');
  const claims = readPayload(jws);
  if (claims === null) return buildRefusal('PASSPORT_INVALID', 'The claims of the passport are invalid.');
  const expiresAtMs = parseStrictTime(claims.expires_at);
  if (expiresAtMs === null || !(expiresAtMs > nowMs)) return buildRefusal('PASSPORT_INVALID', 'The passport has expired.');
  return claims;
};
