import { createHmac, type KeyObject, randomInt } from 'node:crypto';
import { LIMITS } from '@svc/contract/tables/limits.ts';

/** Crockford's base 32 in small letters, without those that are read as another: 120 bits in 24 characters, which no list of guesses reaches. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CHARS = 24;
/** Codes of before were so long, and are good until they are used or replaced. */
const CHARS_BEFORE = 16;
const GROUP = 4;
const FORM = new RegExp(`^[${ALPHABET}]{${CHARS_BEFORE}}([${ALPHABET}]{${CHARS - CHARS_BEFORE}})?$`);

const newCode = (): string => {
  const chars = Array.from({ length: CHARS }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
  return chars.replace(new RegExp(`(.{${GROUP}})(?=.)`, 'g'), '$1-');
};

/** Each spelling of a code has the same hash, so that none of them is good a second time. Undefined for what is none. */
export const recoveryCodeHash = (key: KeyObject, userId: string, typed: string): Buffer | undefined => {
  const code = typed.replaceAll('-', '').toLowerCase();
  return FORM.test(code) ? createHmac('sha256', key).update(`${userId}\n${code}`).digest() : undefined;
};

/** Ten codes for a person: to be shown once, and the keyed hashes (HMAC-SHA-256) to keep. */
export const newRecoveryCodes = (key: KeyObject, userId: string): { readonly codes: string[]; readonly hashes: Buffer[] } => {
  const codes = Array.from({ length: LIMITS.codes.recoveryCodeCount }, newCode);
  return { codes, hashes: codes.flatMap((code) => recoveryCodeHash(key, userId, code) ?? []) };
};
