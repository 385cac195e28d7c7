import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { readBase64 } from '../bytes/canonical-base64.ts';

const KEY_BYTES = 32;
/** Two halves, each as long as a master key. */
export const INSTALLATION_KEY_BYTES = 2 * KEY_BYTES;

export type ReadMasterKey = { readonly ok: true; readonly key: KeyObject } | { readonly ok: false; readonly reason: string };

/** A fresh master key as base64 text: the only form in which one is ever stored. */
export const newMasterKey = (): string => randomBytes(KEY_BYTES).toString('base64');

/** Reads the base64 text of a master key, with whitespace around it allowed. `reason` never repeats the text. */
export const readMasterKey = (text: string): ReadMasterKey => {
  const bytes = readBase64(text.trim());
  if (bytes === null || bytes.length !== KEY_BYTES) {
    return { ok: false, reason: 'The master key must be the padded base64 of exactly 32 random bytes.' };
  }
  // A placeholder that was never filled in would seal every secret under a key that everybody knows.
  if (bytes.every((byte) => byte === bytes[0])) return { ok: false, reason: 'The master key is one byte repeated; it must be random.' };
  const key = createSecretKey(bytes);
  bytes.fill(0);
  return { ok: true, key };
};

/** Of what is hashed, signed or named with these nothing is opened, and it lasts: codes, cursors, the names of roles. */
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
  'tag/installation-id',
]);

/** An installation key has a half for what is sealed and for passwords of the database, and one for what lasts; a master key is both. */
const halfFor = (key: KeyObject, purpose: string): KeyObject => {
  if (key.symmetricKeySize !== INSTALLATION_KEY_BYTES) return key;
  const bytes = key.export();
  const half = createSecretKey(LASTING.has(purpose) ? bytes.subarray(KEY_BYTES) : bytes.subarray(0, KEY_BYTES));
  bytes.fill(0);
  return half;
};

const derive = (key: KeyObject, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', halfFor(key, purpose), '', `agent-governance/1/${purpose}`, KEY_BYTES));

/** What a derived key may be for. Each purpose has a key of its own, so that none can stand in for another. */
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
  | 'dpop-nonces';

/** The 256-bit key of one purpose (HKDF-SHA256): the same for the same key, telling nothing of it or of another purpose's. */
export const deriveKey = (key: KeyObject, purpose: KeyPurpose): KeyObject => createSecretKey(derive(key, `key/${purpose}`));

/** 64 hexadecimal characters that tell one key from another, and nothing of either. */
export const deriveTag = (key: KeyObject, purpose: 'installation-id' | 'installation-check' | 'master-key-id'): string =>
  derive(key, `tag/${purpose}`).toString('hex');

/** The password of a database role: 43 base64url characters, the same at every start with the same key. */
export const deriveRolePassword = (key: KeyObject, roleName: string): string =>
  derive(key, `role-password/${roleName}`).toString('base64url');
