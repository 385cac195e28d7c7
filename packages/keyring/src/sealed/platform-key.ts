import { createPrivateKey, type KeyObject } from 'node:crypto';
import { exportPublicKey, generateSigningKey } from '../public-keys/generate-key-pair.ts';
import { readPublicKey } from '../public-keys/read-public-key.ts';
import { CredentialKeyError } from './credential-key-error.ts';
import { openEnvelope, sealEnvelope } from './envelope.ts';

/** A platform key as stored. `kid` is the RFC 7638 thumbprint of the public half, so it can name no other key. */
export type StoredPlatformKey = { readonly kid: string; readonly public_key: string; readonly sealed_private_key: Buffer };

export type PublishedPlatformKey = Pick<StoredPlatformKey, 'kid' | 'public_key'>;

export type PlatformKeys = {
  readonly signing: { readonly kid: string; readonly privateKey: KeyObject };
  /** All keys whose signatures are still accepted, the signing one included. */
  readonly accepted: ReadonlyMap<string, KeyObject>;
  /** The accepted and the retired keys: earlier checkpoints stay valid. */
  readonly ofLog: ReadonlyMap<string, KeyObject>;
};

export type PlatformJwk = {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
};

const getPlace = (kid: string): string => `platform_keys/${kid}/private_key`;

const readPublished = ({ kid, public_key }: PublishedPlatformKey): KeyObject => {
  const read = readPublicKey(public_key);
  if (!read.ok || read.thumbprint !== kid) throw new CredentialKeyError('A stored platform key does not carry its own key id.');
  return read.key;
};

/** Creates a platform key, its private half sealed with the wrapping key. */
export const createPlatformKey = (wrappingKey: KeyObject): StoredPlatformKey => {
  const { publicKey, privateKey } = generateSigningKey();
  const publicText = exportPublicKey(publicKey);
  const read = readPublicKey(publicText);
  if (!read.ok) throw new CredentialKeyError('A generated platform key was not accepted.');
  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  const sealed = sealEnvelope(wrappingKey, der, getPlace(read.thumbprint));
  der.fill(0);
  return { kid: read.thumbprint, public_key: publicText, sealed_private_key: sealed };
};

/**
 * Opens the signing key, the previous keys that are still accepted, and the retired ones. The private halves of the latter are opened too,
 * and
 * discarded: an attacker who writes rows to the database without the master key cannot add a key to them.
 * Both halves are bound to the key id, the private one by its seal and the public one by its thumbprint, so they belong together;
 * throws CredentialKeyError if either does not carry the id, or if the wrapping key is another.
 */
export const openPlatformKeys = (
  wrappingKey: KeyObject,
  current: StoredPlatformKey,
  previous: readonly StoredPlatformKey[],
  retired: readonly StoredPlatformKey[] = [],
): PlatformKeys => {
  const der = openEnvelope(wrappingKey, current.sealed_private_key, getPlace(current.kid));
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  der.fill(0);
  for (const key of [...previous, ...retired]) openEnvelope(wrappingKey, key.sealed_private_key, getPlace(key.kid)).fill(0);
  const accepted = new Map([current, ...previous].map((key) => [key.kid, readPublished(key)]));
  const ofLog = new Map([...accepted, ...retired.map((key) => [key.kid, readPublished(key)] as const)]);
  return { signing: { kid: current.kid, privateKey }, accepted, ofLog };
};

/** Returns true if a row carries its own key id and was sealed with this wrapping key. */
export const opensPlatformKey = (wrappingKey: KeyObject, stored: StoredPlatformKey): boolean => {
  try {
    openPlatformKeys(wrappingKey, stored, []);
    return true;
  } catch (error) {
    if (error instanceof CredentialKeyError) return false;
    throw error;
  }
};

/** Returns the public half as a JSON Web Key, for offline verification. */
export const platformJwk = (published: PublishedPlatformKey): PlatformJwk => {
  const { x = '' } = readPublished(published).export({ format: 'jwk' });
  return { kty: 'OKP', crv: 'Ed25519', x, kid: published.kid, alg: 'EdDSA', use: 'sig' };
};
