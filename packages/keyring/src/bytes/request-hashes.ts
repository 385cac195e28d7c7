import { createHmac, hash, type KeyObject } from 'node:crypto';

/**
 * Hashes a request: equal for equal requests, and useless without the key, since a short value could be found by brute force. `unkeyed` is
 * the form stored before there was a key; it is only compared with, and never written.
 */
export type RequestHashes = (text: string) => { readonly keyed: string; readonly unkeyed: string };

/** Computes HMAC-SHA256 over the SHA-256 of the text, so that the two need only one pass over a large request. */
export const newRequestHashes =
  (key: KeyObject): RequestHashes =>
  (text) => {
    const unkeyed = hash('sha256', text, 'hex');
    return { keyed: createHmac('sha256', key).update(unkeyed, 'latin1').digest('hex'), unkeyed };
  };
