import { LIMITS } from '@svc/contract/tables/limits.ts';
import { DEVICE_COOKIE } from '@svc/contract/tables/wire-name.ts';
import type { Call } from '@svc/http/calls/call.ts';
import { buildSetCookie, getCookieName } from '@svc/http/calls/cookies.ts';
import { getSignedInKey, listFailureKeys } from '@svc/operations/people/auth/failure-keys.ts';
import type { Visitor } from '@svc/operations/people/auth/guess-of-visitor.ts';
import { getDeviceCookie, getKnownDevice } from '@svc/operations/people/auth/guesses/known-devices.ts';
import type { PeopleDeps } from '../../deps.ts';

type Asking = Pick<Call<never>, 'cookie' | 'sourceIp' | 'now'>;
type Telling = Pick<Call<never>, 'cookie' | 'setCookie' | 'isOwnPage' | 'now'>;
type Deps = Pick<PeopleDeps, 'deviceKey' | 'urls'>;

/** A person with the row state that their proof was compared with. */
type Person = { readonly user_id: string; readonly password_changed_at: string };

const isSecure = ({ urls }: Deps): boolean => urls.base.startsWith('https:');

const shown = ({ cookie }: Pick<Asking, 'cookie'>, deps: Deps): string | undefined => cookie(getCookieName(DEVICE_COOKIE, isSecure(deps)));

const getDevice = ({ user_id, password_changed_at }: Person) => ({ userId: user_id, passwordChangedAt: password_changed_at });

/** Returns the key under which a guess without a session is counted. Takes the same steps if there is no such person. */
export const getVisitorKey = (call: Asking, deps: Deps, email: string, person: Person | undefined): Visitor => ({
  keys: listFailureKeys(email, call.sourceIp),
  signedIn: getSignedInKey(email),
  device: getKnownDevice(deps.deviceKey, shown(call, deps), person && getDevice(person), call.now),
});

/**
 * Remembers that this person proved everything in this browser, including the password. Each sign-in sets another cookie, and none outlives
 * the password. Only proofs that count in every organization qualify, and only pages keep cookies.
 */
export const knowBrowser = (call: Telling, deps: Deps, person: Person): void => {
  if (!call.isOwnPage()) return;
  const value = getDeviceCookie(deps.deviceKey, shown(call, deps), getDevice(person), call.now);
  const maxAgeSeconds = LIMITS.knownDevices.lifetimeSeconds;
  call.setCookie(buildSetCookie(DEVICE_COOKIE, value, { maxAgeSeconds, secure: isSecure(deps) }));
};
