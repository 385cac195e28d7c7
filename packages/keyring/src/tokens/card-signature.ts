import { createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import { readBase64Url } from '../bytes/canonical-base64.ts';
import { parsePublicKey } from '../public-keys/parse-public-key.ts';
import { encodeHeader, splitCompactJws } from './compact-jws.ts';
import { readStringMembers } from './read-string-members.ts';

/** A public JSON Web Key: Ed25519 or P-256. */
export type CardJwk = {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly y?: string | undefined;
  readonly kid?: string | undefined;
  readonly alg?: string | undefined;
};

/** A key that cards may be signed with. Its algorithm follows from the key, never from a header. */
export type CardKey = { readonly kid: string; readonly alg: 'EdDSA' | 'ES256'; readonly key: KeyObject };

type ReadKey = { readonly ok: true; readonly key: CardKey } | { readonly ok: false; readonly reason: string };

const refused = (reason: string): ReadKey => ({ ok: false, reason });

const readP256 = ({ kty, crv, x, y = '', kid, alg }: CardJwk): ReadKey => {
  if (alg !== undefined && alg !== 'ES256') return refused('The algorithm of a P-256 key must be ES256.');
  if (readBase64Url(x)?.length !== 32 || readBase64Url(y)?.length !== 32) return refused('x and y must be 32 bytes each in base64url.');
  try {
    const key = createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' });
    const thumbprint = hash('sha256', `{"crv":"P-256","kty":"EC","x":"${x}","y":"${y}"}`, 'base64url');
    return { ok: true, key: { kid: kid ?? thumbprint, alg: 'ES256', key } };
  } catch {
    return refused('The key is not a point of the curve P-256.');
  }
};

/** Reads a registered key. Weak keys are refused. */
export const readCardKey = (jwk: CardJwk): ReadKey => {
  if (jwk.kty === 'EC' && jwk.crv === 'P-256') return readP256(jwk);
  if (jwk.kty !== 'OKP' || jwk.crv !== 'Ed25519' || jwk.y !== undefined)
    return refused('The key must be Ed25519 (kty OKP) or P-256 (kty EC).');
  const { kid, ...rest } = jwk;
  const read = parsePublicKey(rest);
  if (!read.ok) return refused(read.reason);
  return { ok: true, key: { kid: kid ?? read.thumbprint, alg: 'EdDSA', key: read.key } };
};

/** Verifies a signature with a registered key, by the algorithm of the key. */
export const verifyText = ({ alg, key }: CardKey, signed: Buffer, signature: Buffer): boolean =>
  alg === 'EdDSA' ? verify(null, signed, key, signature) : verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, signature);

type Header = { readonly kid: string; readonly alg: string } | { readonly fault: string };

/** Reads a protected header. It may state the algorithm, the key and the type, and nothing that leads to another key. */
const readHeader = (encoded: string): Header => {
  const bytes = encoded.length > 2_000 ? null : readBase64Url(encoded);
  const header = bytes === null ? null : readStringMembers(bytes);
  if (header === null) return { fault: 'The header of a signature cannot be read: it must be an object of the texts alg, kid and typ.' };
  const other = [...header.keys()].find((name) => name !== 'alg' && name !== 'kid' && name !== 'typ');
  if (other !== undefined)
    return { fault: `The header of a signature has the member ${other.slice(0, 40)}. Only alg, kid and typ are accepted.` };
  const [kid, alg] = [header.get('kid'), header.get('alg')];
  if (kid === undefined || alg === undefined) return { fault: 'The header of a signature must state alg and kid.' };
  return { kid, alg };
};

type Signature = { readonly protected: string; readonly signature: string };
type Verified = { readonly kid: string } | { readonly fault: string };

const verifyOne = (card: Signature, texts: readonly string[], keys: ReadonlyMap<string, CardKey>): Verified | undefined => {
  const header = readHeader(card.protected);
  if ('fault' in header) return header;
  const key = keys.get(header.kid);
  // Signatures of other keys prove nothing here.
  if (key === undefined) return undefined;
  if (header.alg !== key.alg) return { fault: `A signature states another algorithm than the registered key ${header.kid} has.` };
  const signature = card.signature.length > 200 ? null : readBase64Url(card.signature);
  if (signature === null || signature.length === 0) return { fault: 'A signature is not base64url.' };
  const isGenuine = texts.some((text) =>
    verifyText(key, Buffer.from(`${card.protected}.${Buffer.from(text).toString('base64url')}`, 'latin1'), signature),
  );
  return isGenuine ? { kid: header.kid } : { fault: `The signature with the registered key ${header.kid} does not match the card.` };
};

/**
 * Verifies the signatures of a card (JWS, detached) over one of the texts. At least one must be by a registered key, and none by a
 * registered key
 * may be invalid. Signatures by unknown keys are skipped.
 */
export const verifyCardSignatures = (signatures: readonly Signature[], texts: readonly string[], keys: readonly CardKey[]): Verified => {
  const byKid = new Map(keys.map((key) => [key.kid, key]));
  let genuine: Verified | undefined;
  for (const each of signatures) {
    const verified = verifyOne(each, texts, byKid);
    if (verified !== undefined && 'fault' in verified) return verified;
    genuine ??= verified;
  }
  return genuine ?? { fault: 'The card is not signed with a registered key.' };
};

/** Signs the canonical text of a card without its signatures: an Ed25519 JWS in flattened serialization, without its payload. */
export const signCard = ({ kid, privateKey }: { readonly kid: string; readonly privateKey: KeyObject }, text: string): Signature => {
  const header = encodeHeader('JOSE', kid);
  const signed = `${header}.${Buffer.from(text).toString('base64url')}`;
  return { protected: header, signature: sign(null, Buffer.from(signed, 'latin1'), privateKey).toString('base64url') };
};

const ANSWER_CHARS_MAX = 4_000;

/**
 * Verifies the response to a challenge: a compact JWS by a registered key over exactly this nonce and audience. Returns a fault, or
 * undefined.
 */
export const findChallengeFault = (
  jws: unknown,
  keys: readonly CardKey[],
  expected: { readonly nonce: string; readonly audience: string },
): string | undefined => {
  const split = splitCompactJws(jws, ANSWER_CHARS_MAX);
  if (split === null) return 'The answer is not a compact JWS.';
  const header = readHeader(split.encodedHeader);
  if ('fault' in header) return header.fault;
  const key = keys.find(({ kid }) => kid === header.kid);
  if (key === undefined || key.alg !== header.alg) return 'The answer is not signed with a registered key.';
  if (!verifyText(key, split.signed, split.signature)) return 'The signature of the answer is invalid.';
  const payload = readStringMembers(split.payload);
  if (payload?.get('nonce') !== expected.nonce) return 'The answer is to another challenge.';
  return payload.get('aud') === expected.audience ? undefined : 'The answer names another audience.';
};
