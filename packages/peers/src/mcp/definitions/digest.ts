import { hash } from 'node:crypto';

/** Returns the SHA-256 of a text in hex. */
export const digestText = (text: string): string => hash('sha256', text, 'hex');

const BASE_32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** Returns the first characters of the SHA-256 of a text in lower-case base 32, five bits each. */
export const shortDigest = (text: string, characters: number): string =>
  Array.from(hash('sha256', text, 'buffer').subarray(0, characters), (byte) => BASE_32[byte & 31]).join('');
