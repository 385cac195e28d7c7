import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { SECRET_PREFIXES, type SecretKind } from '@svc/contract/tables/ids.ts';

export type SecretPrefix = (typeof SECRET_PREFIXES)[SecretKind];

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_BYTES = 32;
/** The fewest base-62 digits that hold 256 bits, and 32 bits. */
const BODY_CHARS = 43;
const CHECKSUM_CHARS = 6;
const DIGITS = /^[0-9A-Za-z]+$/;

/** Receivers also decode the part of a webhook secret after its prefix as base64, which requires a multiple of four characters. */
const getBodyChars = (prefix: SecretPrefix): number => {
  const over = (BODY_CHARS + CHECKSUM_CHARS) % 4;
  return prefix === SECRET_PREFIXES.webhook_secret && over > 0 ? BODY_CHARS + 4 - over : BODY_CHARS;
};

const base62 = (bytes: Buffer, width: number): string => {
  let text = '';
  for (let left = BigInt(`0x${bytes.toString('hex')}`); left > 0n; left /= 62n) text = ALPHABET.charAt(Number(left % 62n)) + text;
  return text.padStart(width, '0');
};

const getChecksum = (text: string): string => {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(text));
  return base62(sum, CHECKSUM_CHARS);
};

/** Creates a secret of 256 random bits: prefix, base-62 digits, and a checksum over both by which a scanner recognizes a leaked secret. */
export const newSecretToken = (prefix: SecretPrefix): string => {
  const unchecked = prefix + base62(randomBytes(SECRET_BYTES), getBodyChars(prefix));
  return unchecked + getChecksum(unchecked);
};

/** Returns true if a text has the form of such a secret. Detects a typing error without a database query, and proves nothing else. */
export const isWellFormedSecret = (prefix: SecretPrefix, text: string): boolean => {
  const digits = text.slice(prefix.length);
  if (!text.startsWith(prefix) || digits.length !== getBodyChars(prefix) + CHECKSUM_CHARS || !DIGITS.test(digits)) return false;
  const checksumAt = text.length - CHECKSUM_CHARS;
  return text.slice(checksumAt) === getChecksum(text.slice(0, checksumAt));
};

/** Returns the SHA-256 of a secret: the only form that is stored. Enough for 256 random bits, never for a password. */
export const hashSecret = (text: string): Buffer => hash('sha256', text, 'buffer');
