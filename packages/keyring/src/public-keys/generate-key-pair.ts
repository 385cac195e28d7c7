import { generateKeyPairSync, type KeyObject } from 'node:crypto';

/** Generates an Ed25519 key pair. */
export const generateSigningKey = (): { publicKey: KeyObject; privateKey: KeyObject } => generateKeyPairSync('ed25519');

export const exportPublicKey = (key: KeyObject): string => key.export({ format: 'der', type: 'spki' }).toString('base64');

const exportPrivateKey = (key: KeyObject): string => key.export({ format: 'der', type: 'pkcs8' }).toString('base64');

/**
 * Generates an Ed25519 key pair as texts: `public_key` is base64 of its SPKI form, `private_key` base64 of its PKCS8 form. Neither is
 * stored.
 */
export const generateKeyPair = (): { public_key: string; private_key: string } => {
  const { publicKey, privateKey } = generateSigningKey();
  return { public_key: exportPublicKey(publicKey), private_key: exportPrivateKey(privateKey) };
};
