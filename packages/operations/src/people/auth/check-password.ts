import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import type { PasswordOf, Passwords } from '@svc/keyring/passwords/password.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import {
  countFailure,
  type FailureKeys,
  forgiveFailures,
  type LockoutTerms,
  lockedUntil,
} from '@svc/postgres/people/auth/sign-in-failures.ts';
import { secondsUntil } from './failure-keys.ts';

export type PasswordChecks = { readonly identity: Database; readonly passwords: Passwords; readonly lockout: LockoutTerms };

type Attempt = {
  readonly password: string;
  /** Null when there is no such person; the check then takes the same time and fails. */
  readonly passwordHash: () => Promise<string | null>;
  readonly counted: FailureKeys;
  /** The keys whose lockout holds for this attempt. */
  readonly guardedBy: readonly string[];
  readonly now: Date;
  readonly of: PasswordOf;
};

/**
 * Checks a password under the lockout. Asked before, so that a locked account costs no hashing; and asked again after, so that
 * of many guesses at once no more count than would have one by one: a right one that comes after the lock is told like a wrong one.
 */
export const checkPassword = async (checks: PasswordChecks, attempt: Attempt): Promise<boolean | Refusal<'RATE_LIMITED'>> => {
  const { identity, passwords, lockout: terms } = checks;
  const lockout = async (): Promise<Refusal<'RATE_LIMITED'> | undefined> => {
    const until = await lockedUntil(identity, attempt.guardedBy, attempt.now);
    return until === undefined
      ? undefined
      : refusal('RATE_LIMITED', 'Too many failed attempts; try again later.', { retry_after_seconds: secondsUntil(until, attempt.now) });
  };
  const locked = await lockout();
  if (locked) return locked;
  const right = await passwords.verify(await attempt.passwordHash(), attempt.password, attempt.of);
  if (typeof right !== 'boolean') return right;
  const lockedMeanwhile = await lockout();
  if (lockedMeanwhile) return lockedMeanwhile;
  if (right) {
    await forgiveFailures(identity, attempt.counted);
    return true;
  }
  const counted = await countFailure(identity, Object.values(attempt.counted), attempt.now, terms);
  return attempt.guardedBy.every((key) => counted.includes(key)) ? false : ((await lockout()) ?? false);
};
