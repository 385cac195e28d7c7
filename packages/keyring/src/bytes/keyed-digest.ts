import { createHmac, type KeyObject } from 'node:crypto';

/** HMAC-SHA256 as hex: tells whether two texts are the same, and nothing of either to whoever has not the key, however few there are to try. */
export const keyedDigest = (key: KeyObject, text: string): string => createHmac('sha256', key).update(text, 'utf8').digest('hex');
