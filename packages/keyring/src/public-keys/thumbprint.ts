import { hash } from 'node:crypto';

/** Returns the RFC 7638 thumbprint (SHA-256, base64url) of an Ed25519 key, from its 32 raw public bytes. */
export const computeThumbprint = (rawPublicKey: Uint8Array): string => {
  const x = Buffer.from(rawPublicKey).toString('base64url');
  // The member order and form that RFC 7638 and RFC 8037 require.
  return hash('sha256', `{"crv":"Ed25519","kty":"OKP","x":"${x}"}`, 'base64url');
};
