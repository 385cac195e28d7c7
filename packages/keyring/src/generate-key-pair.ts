import { generateKeyPairSync } from 'node:crypto';

/** A fresh Ed25519 pair: `public_key` is base64 of its SPKI form, `private_key` base64 of its PKCS8 form. The private half is kept nowhere. */
export const generateKeyPair = (): { public_key: string; private_key: string } => {
  const pair = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
  return { public_key: pair.publicKey.toString('base64'), private_key: pair.privateKey.toString('base64') };
};
