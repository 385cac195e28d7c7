import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { guessShares } from '@svc/domain/people/auth/guess-shares.ts';
import { lockedUntil } from '@svc/postgres/people/auth/sign-in-failures.ts';
import type { GuessKeys } from '../failure-keys.ts';
import { checkUnderLockout, type Lockout } from '../under-lockout.ts';

/** Result of a guess in a session, and the number of wrong guesses that ends the session, including this one if it was the last. */
export type SignedInGuess = { readonly isRight: boolean; readonly sessionEndsAt: number };

/** Checks a proof of a signed-in person, within the limit that their sessions share. */
export const checkCheckSigned = async (
  checks: Lockout,
  { guess, now }: { readonly guess: GuessKeys; readonly now: Date },
  isRight: () => Promise<boolean | Refusal<'RATE_LIMITED'>>,
): Promise<SignedInGuess | Refusal<'RATE_LIMITED'>> => {
  const { lockout, identity } = checks;
  const right = await checkUnderLockout(checks, { ...guess, now }, isRight);
  if (typeof right !== 'boolean') return right;
  const { signedIn } = guessShares(lockout.attemptsMax);
  const isLast = !right && (await lockedUntil(identity, guess.guardedBy, now)) !== undefined;
  return { isRight: right, sessionEndsAt: isLast ? 1 : signedIn };
};
