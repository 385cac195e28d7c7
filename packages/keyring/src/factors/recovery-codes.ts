import { createHmac, type KeyObject, randomInt } from 'node:crypto';
import { LIMITS } from '@svc/contract/tables/limits.ts';

/** Crockford's base 32 in lower case, without letters that are misread: 120 bits in 24 characters, out of reach of brute force. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CHARS = 24;
/** Codes of earlier releases have this length, and are valid until they are used or replaced. */
const CHARS_BEFORE = 16;
const GROUP = 4;
const FORM = new RegExp(`^[${ALPHABET}]{${CHARS_BEFORE}}([${ALPHABET}]{${CHARS - CHARS_BEFORE}})?$`);

const newCode = (): string => {
  const chars = Array.from({ length: CHARS }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
  return chars.replace(new RegExp(`(.{${GROUP}})(?=.)`, 'g'), '$1-');
};

/** Hashes a code; all its typed variants have one hash, so that none works twice. Undefined if it is malformed. */
export const recoveryCodeHash = (key: KeyObject, userId: string, typed: string): Buffer | undefined => {
  const code = typed.replaceAll('-', '').toLowerCase();
  return FORM.test(code) ? createHmac('sha256', key).update(`${userId}\n${code}`).digest() : undefined;
};

/** Creates ten codes for a user: to be shown once, and the keyed hashes (HMAC-SHA-256) to store. */
export const newRecoveryCodes = (key: KeyObject, userId: string): { readonly codes: string[]; readonly hashes: Buffer[] } => {
  const codes = Array.from({ length: LIMITS.codes.recoveryCodeCount }, newCode);
  return { codes, hashes: codes.flatMap((code) => recoveryCodeHash(key, userId, code) ?? []) };
};
