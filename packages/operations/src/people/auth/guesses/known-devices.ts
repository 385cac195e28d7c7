import type { KeyObject } from 'node:crypto';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type DeviceOf, deviceIdOf, newDeviceToken } from '@svc/keyring/tokens/device-token.ts';
import { deviceKey } from '../failure-keys.ts';

const { keptMax, lifetimeSeconds } = LIMITS.knownDevices;

/** Between the tokens of several people who sign in with one browser. */
const BETWEEN = '~';

/** Compared with where there is no such person, so that no time tells it. */
const NOBODY: DeviceOf = { userId: 'usr_00000000000000000000000000', passwordChangedAt: '1970-01-01T00:00:00.000Z' };

const tokensIn = (cookie: string | undefined): string[] => (cookie ?? '').split(BETWEEN, keptMax).filter((token) => token !== '');

/** Whether, and under what key, a browser is one that this person has signed in with since the password is this one. */
export const knownDevice = (key: KeyObject, cookie: string | undefined, person: DeviceOf | undefined, now: Date): string | undefined => {
  const ids = tokensIn(cookie).map((token) => deviceIdOf(key, token, person ?? NOBODY, now));
  const id = ids.find((each) => each !== undefined);
  return person === undefined || id === undefined ? undefined : deviceKey(person.userId, id);
};

/** What a browser keeps from now on: that this person has signed in with it, and who else has, the last before the others. */
export const deviceCookie = (key: KeyObject, cookie: string | undefined, person: DeviceOf, now: Date): string => {
  const token = newDeviceToken(key, person, new Date(now.getTime() + lifetimeSeconds * 1000));
  const others = tokensIn(cookie).filter((each) => deviceIdOf(key, each, person, now) === undefined);
  return [token, ...others].slice(0, keptMax).join(BETWEEN);
};
