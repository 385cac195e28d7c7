import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject } from 'node:crypto';

/** The key with which an OAuth client signs assertions (RFC 7523), and its public half for the server. */
export type ClientKey = { readonly pem: string; readonly jwk: Readonly<Record<string, string>> };

const RSA_BITS_MIN = 2_048;

/** Every server supports RSASSA-PKCS1-v1_5 for RSA keys. */
const ALGORITHMS: Readonly<Record<string, { readonly alg: string; readonly imported: RsaHashedImportParams | EcKeyImportParams }>> = {
  'P-256': { alg: 'ES256', imported: { name: 'ECDSA', namedCurve: 'P-256' } },
  'P-384': { alg: 'ES384', imported: { name: 'ECDSA', namedCurve: 'P-384' } },
  RSA: { alg: 'RS256', imported: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } },
};

/** Returns the thumbprint of a public key (RFC 7638): its required members in alphabetical order. */
const getThumbprint = (jwk: Readonly<Record<string, string>>): string => {
  const members = jwk.kty === 'RSA' ? ['e', 'kty', 'n'] : ['crv', 'kty', 'x', 'y'];
  return hash('sha256', JSON.stringify(Object.fromEntries(members.map((name) => [name, jwk[name]]))), 'base64url');
};

const publicJwk = (key: KeyObject): Record<string, string> => createPublicKey(key).export({ format: 'jwk' }) as Record<string, string>;

const described = (key: KeyObject): ClientKey | undefined => {
  const isStrong = key.asymmetricKeyType === 'ec' || (key.asymmetricKeyDetails?.modulusLength ?? 0) >= RSA_BITS_MIN;
  if (!isStrong || !['ec', 'rsa'].includes(key.asymmetricKeyType ?? '')) return undefined;
  const jwk = publicJwk(key);
  const known = ALGORITHMS[jwk.crv ?? jwk.kty ?? ''];
  if (known === undefined) return undefined;
  const pem = key.export({ format: 'pem', type: 'pkcs8' }) as string;
  return { pem, jwk: { ...jwk, alg: known.alg, use: 'sig', kid: getThumbprint(jwk) } };
};

/** Generates a P-256 key. */
export const newClientKey = (): ClientKey => {
  const key = described(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
  if (key === undefined) throw new Error('a fresh key is not one that can be used');
  return key;
};

/** Parses a private key; undefined if the text is no key, or a key that is weak or of a kind that servers reject. */
export const readClientKey = (pem: string): ClientKey | undefined => {
  try {
    return described(createPrivateKey({ key: pem, format: 'pem' }));
  } catch {
    return undefined;
  }
};

/** Returns the signing key, not extractable. */
export const importSigningKey = (pem: string): CryptoKey => {
  const key = createPrivateKey({ key: pem, format: 'pem' });
  const jwk = publicJwk(key);
  const known = ALGORITHMS[jwk.crv ?? jwk.kty ?? ''];
  if (known === undefined) throw new Error('a stored client key is of no kind that is stored');
  return key.toCryptoKey(known.imported, false, ['sign']) as CryptoKey;
};
