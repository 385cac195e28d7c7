import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { readBase64Url } from '../bytes/canonical-base64.ts';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const TEXT_CHARS_MAX = 1_024;

export type TextSeal = {
  /** The same text for the same text, so that it may be made as often as one likes; base64url. */
  readonly seal: (text: string) => string;
  /** Undefined for what was not made under this key exactly as it stands. */
  readonly open: (sealed: string) => string | undefined;
};

/**
 * Hides and signs short texts (AES-256-GCM). The nonce follows from the text by HMAC-SHA256 under a key of its own, as in SIV modes: it comes
 * again with the same text alone, however many are sealed.
 */
export const newTextSeal = (key: KeyObject): TextSeal => {
  const derive = (use: string): KeyObject => createSecretKey(Buffer.from(hkdfSync('sha256', key, '', use, KEY_BYTES)));
  const [sealing, nonces] = [derive('sealing'), derive('nonces')];
  const nonceOf = (text: string): Buffer => createHmac('sha256', nonces).update(text, 'utf8').digest().subarray(0, NONCE_BYTES);
  return {
    seal: (text) => {
      const nonce = nonceOf(text);
      const cipher = createCipheriv(CIPHER, sealing, nonce, { authTagLength: TAG_BYTES });
      const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, hidden, cipher.getAuthTag()]).toString('base64url');
    },
    open: (sealed) => {
      const bytes = sealed.length > TEXT_CHARS_MAX ? null : readBase64Url(sealed);
      if (bytes === null || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const tagAt = bytes.length - TAG_BYTES;
      const decipher = createDecipheriv(CIPHER, sealing, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAuthTag(bytes.subarray(tagAt));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, tagAt)), decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
};
