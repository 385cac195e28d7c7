import type { KeyObject } from 'node:crypto';
import { constantTimeEqual } from '../bytes/constant-time-equal.ts';
import { keyedDigest } from '../bytes/keyed-digest.ts';
import { randomHex } from '../bytes/random-hex.ts';

const ID_BYTES = 16;
const FORM = /^([0-9a-f]{32})\.([0-9]{10})\.([0-9a-f]{64})$/;

/** The user that a device token belongs to, and the time since which the password is the one that was proved in the browser. */
export type DeviceOwner = { readonly userId: string; readonly passwordChangedAt: string };

const signed = (key: KeyObject, id: string, expires: string, { userId, passwordChangedAt }: DeviceOwner): string =>
  keyedDigest(key, `device ${id} ${expires} ${userId} ${Date.parse(passwordChangedAt)}`);

/**
 * Creates the token by which a browser proves that a user has signed in with it before [device cookie]: an id, its expiry in seconds, and
 * an
 * HMAC-SHA256 over both and over the user and password.
 */
export const newDeviceToken = (key: KeyObject, of: DeviceOwner, expiresAt: Date): string => {
  const id = randomHex(ID_BYTES);
  const expires = String(Math.floor(expiresAt.getTime() / 1000));
  return `${id}.${expires}.${signed(key, id, expires, of)}`;
};

/** Returns the id of a browser if the token belongs to this user and password and has not expired; compares in constant time. */
export const verifyDeviceToken = (key: KeyObject, token: string, of: DeviceOwner, now: Date): string | undefined => {
  const [, id, expires, mac] = FORM.exec(token) ?? [];
  if (id === undefined || expires === undefined || mac === undefined) return undefined;
  const isRight = constantTimeEqual(Buffer.from(signed(key, id, expires, of)), Buffer.from(mac));
  return isRight && Number(expires) * 1000 > now.getTime() ? id : undefined;
};
