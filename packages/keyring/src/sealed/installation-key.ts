import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { readBase64 } from '../bytes/canonical-base64.ts';
import { CredentialKeyError } from './credential-key-error.ts';
import { openWith, sealWith } from './envelope.ts';
import { deriveKey, deriveTag, INSTALLATION_KEY_BYTES } from './master-key.ts';

const MASTER_KEY_ID_CHARACTERS = 16;

const keyOf = (bytes: Buffer): KeyObject => {
  const key = createSecretKey(bytes);
  bytes.fill(0);
  return key;
};

/**
 * A fresh installation key [key-encryption key of the installation]: 64 random bytes that every other key is derived from. It is kept wrapped
 * under the master key, so that another master key wraps one thing anew and nothing that it sealed is touched.
 */
export const newInstallationKey = (): KeyObject => keyOf(randomBytes(INSTALLATION_KEY_BYTES));

/**
 * The installation key of a database whose keys came from the master key itself. What is sealed, and how the database is entered, is under
 * fresh bytes; identifiers, hashes and signatures, of which nothing else is kept, stay as they were.
 */
export const carriedInstallationKey = (masterKey: KeyObject): KeyObject =>
  keyOf(Buffer.concat([randomBytes(INSTALLATION_KEY_BYTES / 2), masterKey.export()]));

/** As it goes to a process of the same machine, and to a command that wraps it. A secret. */
export const writeInstallationKey = (key: KeyObject): string => key.export().toString('base64');

/** Undefined for whatever is not the base64 of an installation key. */
export const readInstallationKey = (text: string): KeyObject | undefined => {
  const bytes = readBase64(text.trim());
  if (bytes === null || bytes.length !== INSTALLATION_KEY_BYTES) return undefined;
  return keyOf(bytes);
};

/** By what a master key is named wherever it may be read: 16 hexadecimal characters that tell nothing of it. */
export const masterKeyId = (masterKey: KeyObject): string => deriveTag(masterKey, 'master-key-id').slice(0, MASTER_KEY_ID_CHARACTERS);

const placeOf = (id: string): string => `installation_keys/${id}/wrapped`;

/** Wraps an installation key under a master key: the form to store. */
export const wrapInstallationKey = (masterKey: KeyObject, key: KeyObject): Buffer => {
  const bytes = key.export();
  const wrapped = sealWith(deriveKey(masterKey, 'installation-key-wrapping'), bytes, placeOf(masterKeyId(masterKey)));
  bytes.fill(0);
  return wrapped;
};

/** Throws a CredentialKeyError where it was not wrapped under this master key. */
export const unwrapInstallationKey = (masterKey: KeyObject, wrapped: Uint8Array): KeyObject => {
  const bytes = openWith(deriveKey(masterKey, 'installation-key-wrapping'), wrapped, placeOf(masterKeyId(masterKey)));
  if (bytes.length !== INSTALLATION_KEY_BYTES) throw new CredentialKeyError('A wrapped installation key is of another length.');
  return keyOf(bytes);
};
