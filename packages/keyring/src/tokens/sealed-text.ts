import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { readBase64Url } from '../bytes/canonical-base64.ts';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const TEXT_CHARS_MAX = 1_024;

export type TextSeal = {
  /** Deterministic: equal texts have equal results, so sealing can be repeated; base64url. */
  readonly seal: (text: string) => string;
  /** Returns undefined for a text that was not sealed with this key or was changed. */
  readonly open: (sealed: string) => string | undefined;
};

/**
 * Encrypts and authenticates short texts (AES-256-GCM). The nonce is derived from the text by HMAC-SHA256 under a separate key, as in SIV
 * modes:
 * it repeats for equal texts only, however many are sealed.
 */
export const newTextSeal = (key: KeyObject): TextSeal => {
  const derive = (use: string): KeyObject => createSecretKey(Buffer.from(hkdfSync('sha256', key, '', use, KEY_BYTES)));
  const [sealing, nonces] = [derive('sealing'), derive('nonces')];
  const getNonce = (text: string): Buffer => createHmac('sha256', nonces).update(text, 'utf8').digest().subarray(0, NONCE_BYTES);
  return {
    seal: (text) => {
      const nonce = getNonce(text);
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
