import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { countFailure, type FailureKeys, type LockoutTerms, lockedUntil } from '@svc/postgres/people/auth/sign-in-failures.ts';
import { secondsUntil } from '../failure-keys.ts';

export type GuessChecks = { readonly identity: Database; readonly lockout: LockoutTerms };

type Guess = { readonly counted: FailureKeys; readonly guardedBy: readonly string[]; readonly now: Date };

/**
 * Looks for what somebody guessed, under the lockout that passwords are under: asked before and after, so that of many guesses at once no more
 * count than would have one by one. A right one forgives no others: whoever has one to spare could go on guessing passwords with it.
 */
export const checkGuess = async <Found>(
  { identity, lockout: terms }: GuessChecks,
  { counted, guardedBy, now }: Guess,
  look: () => Promise<Found | undefined>,
): Promise<Found | undefined | Refusal<'RATE_LIMITED'>> => {
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
  const found = await look();
  const lockedMeanwhile = await lockout();
  if (lockedMeanwhile) return lockedMeanwhile;
  if (found !== undefined) return found;
  const keys = await countFailure(identity, Object.values(counted), now, terms);
  return guardedBy.every((key) => keys.includes(key)) ? undefined : await lockout();
};
