import { createHmac, hash, type KeyObject } from 'node:crypto';

/**
 * The hash of a request, as hex: the same for the same request, and telling nothing of it to whoever has not the key, since a short value
 * can be found by trying them all. `unkeyed` is what was kept before there was a key; it is compared with, and never written.
 */
export type RequestHash = { readonly keyed: string; readonly unkeyed: string };

export type RequestHashes = (text: string) => RequestHash;

/** HMAC-SHA256 over the SHA-256 of the text, so that neither costs a second walk through a large request. */
export const newRequestHashes =
  (key: KeyObject): RequestHashes =>
  (text) => {
    const unkeyed = hash('sha256', text, 'hex');
    return { keyed: createHmac('sha256', key).update(unkeyed, 'latin1').digest('hex'), unkeyed };
  };
