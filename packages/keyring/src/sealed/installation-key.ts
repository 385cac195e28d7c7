import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { readBase64 } from '../bytes/canonical-base64.ts';
import { CredentialKeyError } from './credential-key-error.ts';
import { openEnvelope, sealEnvelope } from './envelope.ts';
import { deriveKey, deriveTag, INSTALLATION_KEY_BYTES } from './master-key.ts';

const MASTER_KEY_ID_CHARACTERS = 16;

const getKey = (bytes: Buffer): KeyObject => {
  const key = createSecretKey(bytes);
  bytes.fill(0);
  return key;
};

/**
 * Creates an installation key [key-encryption key of the installation]: 64 random bytes from which all other keys are derived. It is stored
 * wrapped with the master key, so that a new master key rewraps one value and leaves everything sealed untouched.
 */
export const newInstallationKey = (): KeyObject => getKey(randomBytes(INSTALLATION_KEY_BYTES));

/**
 * Creates the installation key of a database whose keys were derived from the master key itself. Sealing keys and database passwords get
 * new
 * bytes; identifiers, hashes and signatures, which cannot be recomputed, keep their keys.
 */
export const deriveCarriedInstallationKey = (masterKey: KeyObject): KeyObject =>
  getKey(Buffer.concat([randomBytes(INSTALLATION_KEY_BYTES / 2), masterKey.export()]));

/** Encodes the key for a process of the same machine or for a command that wraps it. A secret. */
export const writeInstallationKey = (key: KeyObject): string => key.export().toString('base64');

/** Decodes an installation key from base64; undefined for any other text. */
export const readInstallationKey = (text: string): KeyObject | undefined => {
  const bytes = readBase64(text.trim());
  if (bytes === null || bytes.length !== INSTALLATION_KEY_BYTES) return undefined;
  return getKey(bytes);
};

/** Returns the public id of a master key: 16 hexadecimal characters that reveal nothing of it. */
export const masterKeyId = (masterKey: KeyObject): string => deriveTag(masterKey, 'master-key-id').slice(0, MASTER_KEY_ID_CHARACTERS);

const getPlace = (id: string): string => `installation_keys/${id}/wrapped`;

/** Wraps an installation key with a master key: the form to store. */
export const wrapInstallationKey = (masterKey: KeyObject, key: KeyObject): Buffer => {
  const bytes = key.export();
  const wrapped = sealEnvelope(deriveKey(masterKey, 'installation-key-wrapping'), bytes, getPlace(masterKeyId(masterKey)));
  bytes.fill(0);
  return wrapped;
};

/** Throws a CredentialKeyError if it was not wrapped with this master key. */
export const unwrapInstallationKey = (masterKey: KeyObject, wrapped: Uint8Array): KeyObject => {
  const bytes = openEnvelope(deriveKey(masterKey, 'installation-key-wrapping'), wrapped, getPlace(masterKeyId(masterKey)));
  if (bytes.length !== INSTALLATION_KEY_BYTES) throw new CredentialKeyError('A wrapped installation key is of another length.');
  return getKey(bytes);
};
