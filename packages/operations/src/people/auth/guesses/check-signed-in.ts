import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { guessShares } from '@svc/domain/people/auth/guess-shares.ts';
import { lockedUntil } from '@svc/postgres/people/auth/sign-in-failures.ts';
import type { Counted } from '../failure-keys.ts';
import { type Lockout, underLockout } from '../under-lockout.ts';

/** How a guess of somebody who is signed in went, and with how many wrong ones their session ends: with this one, if it was the last. */
export type SignedInGuess = { readonly isRight: boolean; readonly sessionEndsAt: number };

/** Checks what a signed-in person proves themselves with, within the share of guesses that their sessions have together. */
export const checkSignedIn = async (
  checks: Lockout,
  { guess, now }: { readonly guess: Counted; readonly now: Date },
  isRight: () => Promise<boolean | Refusal<'RATE_LIMITED'>>,
): Promise<SignedInGuess | Refusal<'RATE_LIMITED'>> => {
  const { lockout, identity } = checks;
  const right = await underLockout(checks, { ...guess, now }, isRight);
  if (typeof right !== 'boolean') return right;
  const { signedIn } = guessShares(lockout.attemptsMax);
  const isLast = !right && (await lockedUntil(identity, guess.guardedBy, now)) !== undefined;
  return { isRight: right, sessionEndsAt: isLast ? 1 : signedIn };
};
