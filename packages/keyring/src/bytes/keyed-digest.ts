import { createHmac, type KeyObject } from 'node:crypto';

/** Returns the HMAC-SHA256 of a text in hex: equal for equal texts, and useless without the key, even if few texts are possible. */
export const keyedDigest = (key: KeyObject, text: string): string => createHmac('sha256', key).update(text, 'utf8').digest('hex');
