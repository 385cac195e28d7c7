import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { type Guess, type Lockout, underLockout } from '../under-lockout.ts';

/**
 * Looks for what somebody guessed, under the lockout that passwords are under. A right one forgives no others: whoever has one to spare could
 * go on guessing passwords with it.
 */
export const checkGuess = async <Found>(
  checks: Lockout,
  guess: Guess,
  look: () => Promise<Found | undefined>,
): Promise<Found | undefined | Refusal<'RATE_LIMITED'>> => {
  let found: Found | undefined;
  const right = await underLockout(checks, guess, async () => {
    found = await look();
    return found !== undefined;
  });
  if (typeof right !== 'boolean') return right;
  return right ? found : undefined;
};
