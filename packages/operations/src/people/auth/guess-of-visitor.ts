import { guessShares } from '@svc/domain/people/auth/guess-shares.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { type FailureKeys, forgiveFailures, forgiveKey, lockedUntil } from '@svc/postgres/people/auth/sign-in-failures.ts';
import { type GuessKeys, listUnauthenticatedGuessKeys } from './failure-keys.ts';
import type { Lockout } from './under-lockout.ts';

/** A person who is not signed in, with or without a browser in which the account has signed in before. */
export type Visitor = { readonly keys: FailureKeys; readonly signedIn: string; readonly device: string | undefined };

/**
 * Returns the keys of a visitor's guess. A known browser uses the limit of the account's sessions, all but one guess: so unauthenticated
 * clients cannot use that limit up, and the account gets no additional guesses. Once it is used up, the browser counts as unknown.
 */
export const guessOfVisitor = async (
  { identity, lockout }: Lockout,
  { keys, signedIn, device }: Visitor,
  now: Date,
): Promise<GuessKeys> => {
  const stranger = listUnauthenticatedGuessKeys(lockout, keys);
  if (device === undefined || (await lockedUntil(identity, [device, signedIn], now)) !== undefined) return stranger;
  const shares = guessShares(lockout.attemptsMax);
  return {
    counted: [{ key: device, attemptsMax: shares.knownBrowser }],
    guardedBy: [device],
    within: { key: signedIn, attemptsMax: shares.signedIn },
  };
};

/** Resets the count after a right proof; guesses of unauthenticated clients stay counted if a known browser proved it. */
export const forgiveVisitor = async (identity: Database, { keys, signedIn, device }: Visitor): Promise<void> => {
  if (device === undefined) return forgiveFailures(identity, keys);
  await forgiveKey(identity, device);
  await forgiveKey(identity, signedIn);
};
