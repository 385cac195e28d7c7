import { compactVerify, flattenedVerify } from 'jose';
import { readBase64Url } from '../bytes/canonical-base64.ts';
import { readStringMembers } from '../tokens/read-string-members.ts';
import type { ProviderKey } from './provider-key.ts';

export type VerifiedSignature = {
  readonly kid: string;
  readonly payload: Buffer /** Bytes that the signature covers. */;
  readonly signed: Buffer;
};
type VerifiedToken = VerifiedSignature | { readonly fault: string };

const HEADER_CHARS_MAX = 2_000;
const ALLOWED = ['alg', 'kid', 'typ'];

/**
 * Selects the key that a protected header names. A header may state the algorithm, the key and the type, and nothing that leads to another
 * key.
 */
const selectKey = (encoded: string, keys: readonly ProviderKey[]): ProviderKey | { readonly fault: string } => {
  const bytes = encoded.length > HEADER_CHARS_MAX ? null : readBase64Url(encoded);
  const header = bytes === null ? null : readStringMembers(bytes);
  if (header === null) return { fault: 'The header of the signature must be an object of the texts alg, kid and typ.' };
  const other = [...header.keys()].find((name) => !ALLOWED.includes(name));
  if (other !== undefined) return { fault: `The header has the member ${other.slice(0, 40)}. Only alg, kid and typ are accepted.` };
  const kid = header.get('kid');
  const key = kid === undefined && keys.length === 1 ? keys[0] : keys.find((each) => each.kid === kid);
  if (key === undefined) return { fault: 'The signature names no key of the provider (kid).' };
  return header.get('alg') === key.alg ? key : { fault: `The header must state the algorithm of the key, ${key.alg}.` };
};

/** Verifies a compact JWS with the keys of a provider. */
export const verifyToken = async (jws: string, keys: readonly ProviderKey[]): Promise<VerifiedToken> => {
  const [header = '', payload = '', signature = '', ...more] = jws.split('.', 4);
  if (more.length > 0 || readBase64Url(payload) === null || readBase64Url(signature) === null)
    return { fault: 'The document is not a compact JWS.' };
  const key = selectKey(header, keys);
  if ('fault' in key) return key;
  try {
    const verified = await compactVerify(jws, key.key, { algorithms: [key.alg] });
    return { kid: key.kid, payload: Buffer.from(verified.payload), signed: Buffer.from(`${header}.${payload}`, 'latin1') };
  } catch {
    return { fault: 'The signature does not match.' };
  }
};

type Signature = { readonly protected: string; readonly signature: string };

/** Verifies one detached signature (JWS, flattened) over a text with the keys of a provider. */
export const verifyDetachedSignature = async (
  { protected: header, signature }: Signature,
  text: string,
  keys: readonly ProviderKey[],
): Promise<VerifiedToken> => {
  const key = selectKey(header, keys);
  if ('fault' in key) return key;
  const payload = Buffer.from(text);
  try {
    await flattenedVerify({ protected: header, payload: payload.toString('base64url'), signature }, key.key, { algorithms: [key.alg] });
    return { kid: key.kid, payload, signed: payload };
  } catch {
    return { fault: 'The signature does not match.' };
  }
};
