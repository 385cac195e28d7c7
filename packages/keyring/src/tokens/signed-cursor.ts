import { createHmac, type KeyObject } from 'node:crypto';
import { readBase64Url } from '../bytes/canonical-base64.ts';
import { constantTimeEqual } from '../bytes/constant-time-equal.ts';

const MAC_BYTES = 32;
const CURSOR_CHARS_MAX = 4096;

const getMac = (key: KeyObject, payload: Buffer): Buffer => createHmac('sha256', key).update(payload).digest();

/**
 * Returns an opaque text that carries `payload` and that only a holder of the key can create. It is signed, not encrypted: put no secret in
 * it.
 */
export const signCursor = (key: KeyObject, payload: object): string => {
  const bytes = Buffer.from(JSON.stringify(payload), 'utf8');
  return Buffer.concat([getMac(key, bytes), bytes]).toString('base64url');
};

/** Returns the payload of a cursor, or null if it was not created with this key or was changed. */
export const readCursor = (key: KeyObject, text: string): Record<string, unknown> | null => {
  const all = text.length > CURSOR_CHARS_MAX ? null : readBase64Url(text);
  if (all === null || all.length <= MAC_BYTES) return null;
  const payload = all.subarray(MAC_BYTES);
  return constantTimeEqual(all.subarray(0, MAC_BYTES), getMac(key, payload)) ? JSON.parse(payload.toString('utf8')) : null;
};
