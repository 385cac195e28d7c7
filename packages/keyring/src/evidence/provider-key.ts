import { createPublicKey, hash, type KeyObject } from 'node:crypto';
import { parsePublicKey } from '../public-keys/parse-public-key.ts';

type Jwk = {
  readonly kty: string;
  readonly crv?: string | undefined;
  readonly x?: string | undefined;
  readonly y?: string | undefined;
  readonly n?: string | undefined;
  readonly e?: string | undefined;
  readonly kid?: string | undefined;
  readonly alg?: string | undefined;
};

export type ProviderAlgorithm = 'EdDSA' | 'ES256' | 'ES384' | 'RS256' | 'PS256';

/** A key of a provider. Its algorithm follows from the key, never from a document. */
export type ProviderKey = { readonly kid: string; readonly alg: ProviderAlgorithm; readonly key: KeyObject };

type Read = { readonly ok: true; readonly key: ProviderKey } | { readonly ok: false; readonly reason: string };

const refused = (reason: string): Read => ({ ok: false, reason });

const RSA_BITS_MIN = 2_048;
const RSA_BITS_MAX = 8_192;
/** Members of a thumbprint by type of key, in the order of RFC 7638. */
const THUMBPRINT = { EC: ['crv', 'kty', 'x', 'y'], RSA: ['e', 'kty', 'n'] } as const;
const EC_ALGORITHMS: Readonly<Record<string, ProviderAlgorithm>> = { 'P-256': 'ES256', 'P-384': 'ES384' };

const thumbprint = (jwk: Jwk, members: readonly (keyof Jwk)[]): string =>
  hash('sha256', JSON.stringify(Object.fromEntries(members.map((name) => [name, jwk[name]]))), 'base64url');

const importKey = (jwk: Jwk, members: readonly (keyof Jwk)[]): KeyObject | undefined => {
  try {
    const key = createPublicKey({ key: Object.fromEntries(members.map((name) => [name, jwk[name]])), format: 'jwk' });
    // A key whose text is not canonical would have two thumbprints.
    const written = key.export({ format: 'jwk' }) as Readonly<Record<string, unknown>>;
    return members.every((name) => written[name] === jwk[name]) ? key : undefined;
  } catch {
    return undefined;
  }
};

const readEc = (jwk: Jwk): Read => {
  const alg = EC_ALGORITHMS[jwk.crv ?? ''];
  if (alg === undefined) return refused('An EC key must be on the curve P-256 or P-384.');
  if (jwk.alg !== undefined && jwk.alg !== alg) return refused(`The algorithm of this key must be ${alg}.`);
  const key = importKey(jwk, THUMBPRINT.EC);
  return key
    ? { ok: true, key: { kid: jwk.kid ?? thumbprint(jwk, THUMBPRINT.EC), alg, key } }
    : refused('The key is not a point of its curve.');
};

const readRsa = (jwk: Jwk): Read => {
  const { alg = 'RS256' } = jwk;
  if (alg !== 'RS256' && alg !== 'PS256') return refused('The algorithm of an RSA key must be RS256 or PS256.');
  const key = importKey(jwk, THUMBPRINT.RSA);
  const { modulusLength: bits = 0, publicExponent = 0n } = key?.asymmetricKeyDetails ?? {};
  if (key === undefined || bits < RSA_BITS_MIN || bits > RSA_BITS_MAX || publicExponent < 65_537n || publicExponent > 0xffff_ffffn)
    return refused(`An RSA key must have ${RSA_BITS_MIN} to ${RSA_BITS_MAX} bits and an exponent of at least 65537.`);
  return { ok: true, key: { kid: jwk.kid ?? thumbprint(jwk, THUMBPRINT.RSA), alg, key } };
};

/** Reads a registered key of a provider. Rejects weak keys. */
export const readProviderKey = (jwk: Jwk): Read => {
  if (jwk.kty === 'EC') return readEc(jwk);
  if (jwk.kty === 'RSA') return readRsa(jwk);
  const { kid, ...rest } = jwk;
  const read = parsePublicKey(rest);
  return read.ok ? { ok: true, key: { kid: kid ?? read.thumbprint, alg: 'EdDSA', key: read.key } } : refused(read.reason);
};
