import { hash } from 'node:crypto';

/** RFC 7638 thumbprint (SHA-256, base64url) of an Ed25519 key, from the 32 raw bytes of its public half. */
export const thumbprintOf = (rawPublicKey: Uint8Array): string => {
  const x = Buffer.from(rawPublicKey).toString('base64url');
  // The members in the order and spelling that RFC 7638 and RFC 8037 fix.
  return hash('sha256', `{"crv":"Ed25519","kty":"OKP","x":"${x}"}`, 'base64url');
};
