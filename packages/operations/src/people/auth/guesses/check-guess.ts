import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { checkUnderLockout, type Guess, type Lockout } from '../under-lockout.ts';

/**
 * Looks up a guessed value under the lockout of passwords. A right guess resets no count: its owner could otherwise go on guessing
 * passwords.
 */
export const checkGuess = async <Found>(
  checks: Lockout,
  guess: Guess,
  look: () => Promise<Found | undefined>,
): Promise<Found | undefined | Refusal<'RATE_LIMITED'>> => {
  let found: Found | undefined;
  const right = await checkUnderLockout(checks, guess, async () => {
    found = await look();
    return found !== undefined;
  });
  if (typeof right !== 'boolean') return right;
  return right ? found : undefined;
};
