import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { readBase64 } from '../bytes/canonical-base64.ts';

const KEY_BYTES = 32;
/** Two halves, each as long as a master key. */
export const INSTALLATION_KEY_BYTES = 2 * KEY_BYTES;

export type ReadMasterKey = { readonly ok: true; readonly key: KeyObject } | { readonly ok: false; readonly reason: string };

/** Creates a master key as base64 text: the only form in which one is ever stored. */
export const newMasterKey = (): string => randomBytes(KEY_BYTES).toString('base64');

/** Parses the base64 text of a master key, with surrounding whitespace allowed. `reason` never repeats the text. */
export const readMasterKey = (text: string): ReadMasterKey => {
  const bytes = readBase64(text.trim());
  if (bytes === null || bytes.length !== KEY_BYTES) {
    return { ok: false, reason: 'The master key must be the padded base64 of exactly 32 random bytes.' };
  }
  // A placeholder that was never replaced would seal every secret with a publicly known key.
  if (bytes.every((byte) => byte === bytes[0])) return { ok: false, reason: 'The master key is one byte repeated; it must be random.' };
  const key = createSecretKey(bytes);
  bytes.fill(0);
  return { ok: true, key };
};

/** Purposes for which nothing is decrypted and whose results must persist: codes, cursors, names of roles. */
const LASTING: ReadonlySet<string> = new Set([
  'key/cursor-signing',
  'key/request-hashing',
  'key/request-hmac',
  'key/recovery-code-hashing',
  'key/passkey-challenges',
  'key/address-digests',
  'key/code-hashing',
  'key/user-codes',
  'key/device-cookies',
  'key/stream-positions',
  'key/event-authentication',
  'key/a2a-push-tokens',
  'tag/installation-id',
]);

/**
 * Selects the half of an installation key: one for sealed values and database passwords, one for lasting purposes; a master key serves as
 * both.
 */
const halfFor = (key: KeyObject, purpose: string): KeyObject => {
  if (key.symmetricKeySize !== INSTALLATION_KEY_BYTES) return key;
  const bytes = key.export();
  const half = createSecretKey(LASTING.has(purpose) ? bytes.subarray(KEY_BYTES) : bytes.subarray(0, KEY_BYTES));
  bytes.fill(0);
  return half;
};

const derive = (key: KeyObject, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', halfFor(key, purpose), '', `agent-governance/1/${purpose}`, KEY_BYTES));

/** The purposes of derived keys. Each purpose has a key of its own, so that none can replace another. */
export type KeyPurpose =
  | 'installation-key-wrapping'
  | 'data-key-wrapping'
  | 'platform-key-wrapping'
  | 'cursor-signing'
  | 'request-hashing'
  | 'request-hmac'
  | 'second-factor-sealing'
  | 'recovery-code-hashing'
  | 'passkey-challenges'
  | 'mail-sealing'
  | 'sign-up-sealing'
  | 'address-digests'
  | 'code-hashing'
  | 'sso-secret-sealing'
  | 'webhook-sealing'
  | 'user-codes'
  | 'device-cookies'
  | 'stream-positions'
  | 'event-authentication'
  | 'dpop-nonces'
  | 'a2a-push-tokens'
  | 'a2a-push-targets';

/** Derives the 256-bit key of one purpose (HKDF-SHA256): deterministic, and independent of the keys of other purposes. */
export const deriveKey = (key: KeyObject, purpose: KeyPurpose): KeyObject => createSecretKey(derive(key, `key/${purpose}`));

/** Derives 64 hexadecimal characters that identify a key and reveal nothing of it. */
export const deriveTag = (key: KeyObject, purpose: 'installation-id' | 'installation-check' | 'master-key-id'): string =>
  derive(key, `tag/${purpose}`).toString('hex');

/** Derives the password of a database role: 43 base64url characters, the same at every start with the same key. */
export const deriveRolePassword = (key: KeyObject, roleName: string): string =>
  derive(key, `role-password/${roleName}`).toString('base64url');
