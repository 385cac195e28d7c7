import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { CredentialKeyError } from './credential-key-error.ts';

/** Sealed form: version (1 byte), nonce (12), ciphertext, tag (16). */
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES;
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;

const unreadable = (): never => {
  throw new CredentialKeyError('A sealed value could not be decrypted with this key for this row.');
};

/**
 * Seals bytes with a 256-bit key by AES-256-GCM and a random nonce, safe for 2^32 seals per key.
 * `boundTo` names the one place the value may be read from, for example `credentials/<organization id>/<id>/secret`;
 * it is not stored, and the value opens under no other (additional authenticated data).
 */
export const sealEnvelope = (key: KeyObject, plaintext: Uint8Array, boundTo: string): Buffer => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(boundTo, 'utf8'));
  const sealed = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([Uint8Array.of(VERSION), nonce, sealed, cipher.getAuthTag()]);
};

/** Opens what `sealEnvelope` sealed. Throws CredentialKeyError for another key, another place, or a single changed bit. */
export const openEnvelope = (key: KeyObject, sealed: Uint8Array, boundTo: string): Buffer => {
  if (sealed.length < HEAD_BYTES + TAG_BYTES || sealed[0] !== VERSION) return unreadable();
  const tagAt = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(1, HEAD_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(boundTo, 'utf8'));
  decipher.setAuthTag(sealed.subarray(tagAt));
  const opened = decipher.update(sealed.subarray(HEAD_BYTES, tagAt));
  try {
    // No byte of `opened` is returned before the tag has been verified here.
    return Buffer.concat([opened, decipher.final()]);
  } catch {
    return unreadable();
  }
};

const dataKeyPlace = (organizationId: string): string => `data_keys/${organizationId}`;

/** Creates a data key for one organization, wrapped with the wrapping key: the form to store. */
export const newWrappedDataKey = (wrappingKey: KeyObject, organizationId: string): Buffer =>
  sealEnvelope(wrappingKey, randomBytes(KEY_BYTES), dataKeyPlace(organizationId));

/** Unwraps the data key of an organization. Throws CredentialKeyError if it was wrapped with another key or for another organization. */
export const unwrapDataKey = (wrappingKey: KeyObject, wrapped: Uint8Array, organizationId: string): KeyObject => {
  const bytes = openEnvelope(wrappingKey, wrapped, dataKeyPlace(organizationId));
  if (bytes.length !== KEY_BYTES) return unreadable();
  const key = createSecretKey(bytes);
  bytes.fill(0);
  return key;
};
