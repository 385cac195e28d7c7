import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { countFailure, type LockoutTerms, lockedUntil } from '@svc/postgres/people/auth/sign-in-failures.ts';
import { secondsUntil } from './failure-keys.ts';

export type Lockout = { readonly identity: Database; readonly lockout: LockoutTerms };

export type Guess = {
  /** The keys a wrong guess is counted under. */
  readonly counted: readonly string[];
  /** Those of them whose lockout holds for this guess. */
  readonly guardedBy: readonly string[];
  readonly now: Date;
};

/**
 * Asks whether a guess is right, under the lockout. Asked before, so that what is locked costs no work; and asked again after, so that of
 * many guesses at once no more count than would have one by one: a right one that comes after the lock is told like a wrong one.
 */
export const underLockout = async (
  { identity, lockout: terms }: Lockout,
  { counted, guardedBy, now }: Guess,
  isRight: () => Promise<boolean | Refusal<'RATE_LIMITED'>>,
): Promise<boolean | Refusal<'RATE_LIMITED'>> => {
  const lockout = async (): Promise<Refusal<'RATE_LIMITED'> | undefined> => {
    const until = await lockedUntil(identity, guardedBy, now);
    return until === undefined
      ? undefined
      : refusal('RATE_LIMITED', 'Too many failed attempts for this account or from this address; try again later.', {
          retry_after_seconds: secondsUntil(until, now),
        });
  };
  const locked = await lockout();
  if (locked) return locked;
  const right = await isRight();
  if (typeof right !== 'boolean') return right;
  const lockedMeanwhile = await lockout();
  if (lockedMeanwhile) return lockedMeanwhile;
  if (right) return true;
  const kept = await countFailure(identity, counted, now, terms);
  return guardedBy.every((key) => kept.includes(key)) ? false : ((await lockout()) ?? false);
};
