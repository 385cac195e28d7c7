import { type KeyObject, sign, verify } from 'node:crypto';
import { readBase64Url } from '../bytes/canonical-base64.ts';

/** A parsed compact JWS (RFC 7515), its signature not yet verified. */
export type CompactJws = {
  /** The first part as sent. */
  readonly encodedHeader: string;
  readonly header: Buffer;
  readonly payload: Buffer;
  /** The signed bytes as sent. */
  readonly signed: Buffer;
  readonly signature: Buffer;
};

const SIGNATURE_BYTES = 64;

/** Splits a compact JWS; null unless it is three canonical base64url parts within the size and a signature of Ed25519's length. */
export const splitCompactJws = (text: unknown, charsMax: number): CompactJws | null => {
  if (typeof text !== 'string' || text.length > charsMax) return null;
  const [encodedHeader, encodedPayload, encodedSignature, ...more] = text.split('.', 4);
  if (!encodedHeader || !encodedPayload || !encodedSignature || more.length > 0) return null;
  const header = readBase64Url(encodedHeader);
  const payload = readBase64Url(encodedPayload);
  const signature = readBase64Url(encodedSignature);
  if (header === null || payload === null || signature?.length !== SIGNATURE_BYTES) return null;
  return { encodedHeader, header, payload, signed: Buffer.from(`${encodedHeader}.${encodedPayload}`, 'latin1'), signature };
};

/** Returns the one header that this service writes for a type of JWS and a key. */
export const encodeHeader = (typ: string, kid: string): string =>
  Buffer.from(JSON.stringify({ alg: 'EdDSA', typ, kid })).toString('base64url');

export const signCompactJws = (encodedHeader: string, payload: object, privateKey: KeyObject): string => {
  const signed = `${encodedHeader}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}`;
  return `${signed}.${sign(null, Buffer.from(signed, 'latin1'), privateKey).toString('base64url')}`;
};

/** Verifies with Ed25519 only: the algorithm is the key's, never the header's. */
export const verifyCompactJws = (jws: CompactJws, publicKey: KeyObject): boolean =>
  publicKey.asymmetricKeyType === 'ed25519' && verify(null, jws.signed, publicKey, jws.signature);

/** Verifies like `verifyCompactJws`, on a worker thread. */
export const verifyCompactJwsAside = (jws: CompactJws, publicKey: KeyObject): Promise<boolean> => {
  if (publicKey.asymmetricKeyType !== 'ed25519') return Promise.resolve(false);
  return new Promise((resolve, reject) => {
    verify(null, jws.signed, publicKey, jws.signature, (error, isGenuine) => (error ? reject(error) : resolve(isGenuine)));
  });
};
