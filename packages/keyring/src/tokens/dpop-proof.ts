import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { readCardKey, verifyText } from './card-signature.ts';
import { type CompactJws, splitCompactJws } from './compact-jws.ts';

type Members = Readonly<Record<string, unknown>>;
type PublicJwk = { readonly kty: string; readonly crv: string; readonly x: string; readonly y?: string };

/** A parsed proof of possession (RFC 9449), its signature not yet verified. */
export type DpopProof = { readonly jws: CompactJws; readonly jwk: PublicJwk; readonly jkt: string; readonly claims: Members };

/** The request that a proof must match. */
export type DpopExpected = {
  readonly method: string;
  /** Address of the endpoint as clients know it, without query. */
  readonly address: string;
  readonly nowMs: number;
  readonly windowSeconds: number;
  readonly isFresh: (nonce: string) => boolean;
  /** The token sent with it; undefined at the token endpoint. */
  readonly token?: string;
  /** The key that the token is bound to. */
  readonly jkt?: string;
};

export type DpopFault = { readonly error: 'invalid_dpop_proof' | 'use_dpop_nonce'; readonly message: string };

const PROOF_CHARS_MAX = 4_096;
const JTI = /^[\x21-\x7e]{1,200}$/;
export const DPOP_ALGORITHMS = ['EdDSA', 'Ed25519', 'ES256'] as const;

const fault = (message: string): DpopFault => ({ error: 'invalid_dpop_proof', message });

export const isDpopFault = (value: object): value is DpopFault => 'error' in value;

const readObject = (bytes: Buffer): Members | undefined => {
  if (!isUtf8(bytes)) return undefined;
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

const readJwk = (value: unknown): PublicJwk | undefined => {
  if (typeof value !== 'object' || value === null || 'd' in value || 'k' in value) return undefined;
  const { kty, crv, x, y } = value as Members;
  if (typeof x !== 'string' || x.length > 100) return undefined;
  if (kty === 'OKP' && crv === 'Ed25519') return { kty, crv, x };
  return kty === 'EC' && crv === 'P-256' && typeof y === 'string' && y.length <= 100 ? { kty, crv, x, y } : undefined;
};

/** Returns the thumbprint of RFC 7638: the members in this order, without spaces. */
const thumbprint = ({ kty, crv, x, y }: PublicJwk): string =>
  hash('sha256', JSON.stringify(y === undefined ? { crv, kty, x } : { crv, kty, x, y }), 'base64url');

/** Parses the DPoP header of a request. */
export const readDpopProof = (text: string): DpopProof | DpopFault => {
  const jws = splitCompactJws(text, PROOF_CHARS_MAX);
  const header = jws && readObject(jws.header);
  const claims = jws && readObject(jws.payload);
  if (!jws || !header || !claims) return fault('The header DPoP must be one compact JWS.');
  if (header.typ !== 'dpop+jwt' || 'crit' in header) return fault('typ of the proof must be dpop+jwt, and it must have no crit.');
  const jwk = readJwk(header.jwk);
  if (jwk === undefined) return fault('jwk of the proof must be a public key: Ed25519 or P-256.');
  const isSuited = jwk.kty === 'EC' ? header.alg === 'ES256' : header.alg === 'EdDSA' || header.alg === 'Ed25519';
  return isSuited ? { jws, jwk, jkt: thumbprint(jwk), claims } : fault(`alg of the proof must fit its key: ${DPOP_ALGORITHMS.join(', ')}.`);
};

/** A weak key proves nothing: an attacker could sign with it. */
const isSigned = ({ jws, jwk }: DpopProof): boolean => {
  const read = readCardKey(jwk);
  return read.ok && verifyText(read.key, jws.signed, jws.signature);
};

const sameAddress = (claimed: unknown, address: string): boolean => {
  if (typeof claimed !== 'string' || !URL.canParse(claimed)) return false;
  const [one, other] = [new URL(claimed), new URL(address)];
  return one.origin === other.origin && one.pathname === other.pathname && one.username === '' && one.password === '';
};

const claimsFault = ({ htm, htu, iat, jti, ath, nonce }: Members, expected: DpopExpected): DpopFault | undefined => {
  if (typeof nonce !== 'string' || !expected.isFresh(nonce))
    return { error: 'use_dpop_nonce', message: 'Put the value of the header DPoP-Nonce of this answer into the proof as nonce.' };
  if (htm !== expected.method) return fault('htm of the proof must be the method of the request.');
  if (!sameAddress(htu, expected.address)) return fault(`htu of the proof must be ${expected.address}.`);
  const isNow = typeof iat === 'number' && Math.abs(expected.nowMs / 1000 - iat) <= expected.windowSeconds;
  if (!isNow) return fault(`iat of the proof must be within ${expected.windowSeconds} seconds of the time of the server.`);
  if (typeof jti !== 'string' || !JTI.test(jti)) return fault('jti of the proof must be 1 to 200 printable ASCII characters.');
  return expected.token === undefined || ath === hash('sha256', expected.token, 'base64url')
    ? undefined
    : fault('ath of the proof must be the SHA-256 of the token in base64url.');
};

/** Returns the fault of a proof; undefined if it proves possession of its key for this request. */
export const findDpopFault = (proof: DpopProof, expected: DpopExpected): DpopFault | undefined => {
  if (expected.jkt !== undefined && expected.jkt !== proof.jkt)
    return fault('The proof is made with another key than the token is bound to.');
  return isSigned(proof) ? claimsFault(proof.claims, expected) : fault('The signature of the proof is not valid.');
};

/** Returns the digest by which a used proof is remembered, to prevent a replay. */
export const digestProof = ({ jkt, claims }: DpopProof): string => hash('sha256', `${jkt}.${String(claims.jti)}`, 'base64url');
