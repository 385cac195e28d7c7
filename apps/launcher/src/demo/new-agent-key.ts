import { generateKeyPairSync } from 'node:crypto';

/** Generates an Ed25519 pair: the public half as base64 SPKI, the private half as base64 PKCS8. */
export const newAgentKey = (): { readonly publicKey: string; readonly privateKey: string } => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  };
};
