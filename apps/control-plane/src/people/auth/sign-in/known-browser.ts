import { LIMITS } from '@svc/contract/tables/limits.ts';
import { DEVICE_COOKIE } from '@svc/contract/tables/wire-name.ts';
import type { Call } from '@svc/http/calls/call.ts';
import { cookieLine, cookieName } from '@svc/http/calls/cookies.ts';
import { failureKeys, signedInKey } from '@svc/operations/people/auth/failure-keys.ts';
import type { Visitor } from '@svc/operations/people/auth/guess-of-visitor.ts';
import { deviceCookie, knownDevice } from '@svc/operations/people/auth/guesses/known-devices.ts';
import type { PeopleDeps } from '../../deps.ts';

type Asking = Pick<Call<never>, 'cookie' | 'sourceIp' | 'now'>;
type Telling = Pick<Call<never>, 'cookie' | 'setCookie' | 'isOwnPage' | 'now'>;
type Deps = Pick<PeopleDeps, 'deviceKey' | 'urls'>;

/** A person with the row state that their proof was compared with. */
type Person = { readonly user_id: string; readonly password_changed_at: string };

const isSecure = ({ urls }: Deps): boolean => urls.base.startsWith('https:');

const shown = ({ cookie }: Pick<Asking, 'cookie'>, deps: Deps): string | undefined => cookie(cookieName(DEVICE_COOKIE, isSecure(deps)));

const deviceOf = ({ user_id, password_changed_at }: Person) => ({ userId: user_id, passwordChangedAt: password_changed_at });

/** Returns the key under which a guess without a session is counted. Takes the same steps if there is no such person. */
export const visitorOf = (call: Asking, deps: Deps, email: string, person: Person | undefined): Visitor => ({
  keys: failureKeys(email, call.sourceIp),
  signedIn: signedInKey(email),
  device: knownDevice(deps.deviceKey, shown(call, deps), person && deviceOf(person), call.now),
});

/**
 * Remembers that this person proved everything in this browser, including the password. Each sign-in sets another cookie, and none outlives
 * the password. Only proofs that count in every organization qualify, and only pages keep cookies.
 */
export const knowBrowser = (call: Telling, deps: Deps, person: Person): void => {
  if (!call.isOwnPage()) return;
  const value = deviceCookie(deps.deviceKey, shown(call, deps), deviceOf(person), call.now);
  const maxAgeSeconds = LIMITS.knownDevices.lifetimeSeconds;
  call.setCookie(cookieLine(DEVICE_COOKIE, value, { maxAgeSeconds, secure: isSecure(deps) }));
};
