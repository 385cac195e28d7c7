import type { KeyObject } from 'node:crypto';
import { keyedDigest } from './keyed-digest.ts';

/**
 * Returns a function that computes the HMAC-SHA256 of a request in hex. Recorded next to masked values, it shows later whether a request is the one
 * that was decided, and nothing of it to a reader without the key.
 */
export const newRequestHmac =
  (key: KeyObject) =>
  (text: string): string =>
    keyedDigest(key, text);
