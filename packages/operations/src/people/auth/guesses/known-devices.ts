import type { KeyObject } from 'node:crypto';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type DeviceOwner, newDeviceToken, verifyDeviceToken } from '@svc/keyring/tokens/device-token.ts';
import { getDeviceKey } from '../failure-keys.ts';

const { keptMax, lifetimeSeconds } = LIMITS.knownDevices;

/** Separates the tokens of several people in one browser. */
const BETWEEN = '~';

/** Compared with if there is no such person, so that the response time does not disclose it. */
const NOBODY: DeviceOwner = { userId: 'usr_00000000000000000000000000', passwordChangedAt: '1970-01-01T00:00:00.000Z' };

const findTokens = (cookie: string | undefined): string[] => (cookie ?? '').split(BETWEEN, keptMax).filter((token) => token !== '');

/** Returns the key of a browser in which this person has signed in with the current password; undefined if it is unknown. */
export const getKnownDevice = (
  key: KeyObject,
  cookie: string | undefined,
  person: DeviceOwner | undefined,
  now: Date,
): string | undefined => {
  const ids = findTokens(cookie).map((token) => verifyDeviceToken(key, token, person ?? NOBODY, now));
  const id = ids.find((each) => each !== undefined);
  return person === undefined || id === undefined ? undefined : getDeviceKey(person.userId, id);
};

/** Returns the cookie that remembers this person's sign-in in the browser, before those of other people. */
export const getDeviceCookie = (key: KeyObject, cookie: string | undefined, person: DeviceOwner, now: Date): string => {
  const token = newDeviceToken(key, person, new Date(now.getTime() + lifetimeSeconds * 1000));
  const others = findTokens(cookie).filter((each) => verifyDeviceToken(key, each, person, now) === undefined);
  return [token, ...others].slice(0, keptMax).join(BETWEEN);
};
