import { guessShares } from '@svc/domain/people/auth/guess-shares.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { type FailureKeys, forgiveFailures, forgiveKey, lockedUntil } from '@svc/postgres/people/auth/sign-in-failures.ts';
import { type Counted, guessOfStranger } from './failure-keys.ts';
import type { Lockout } from './under-lockout.ts';

/** Somebody who is not signed in: with a browser that the account has signed in with before, or with any. */
export type Visitor = { readonly keys: FailureKeys; readonly signedIn: string; readonly device: string | undefined };

/**
 * A browser that is known guesses out of what the sessions of the account have, all but one: so strangers neither add to it nor take of it, and
 * the account has no guess more for it. Whoever used that up guesses as a stranger.
 */
export const guessOfVisitor = async ({ identity, lockout }: Lockout, { keys, signedIn, device }: Visitor, now: Date): Promise<Counted> => {
  const stranger = guessOfStranger(lockout, keys);
  if (device === undefined || (await lockedUntil(identity, [device, signedIn], now)) !== undefined) return stranger;
  const shares = guessShares(lockout.attemptsMax);
  return {
    counted: [{ key: device, attemptsMax: shares.knownBrowser }],
    guardedBy: [device],
    within: { key: signedIn, attemptsMax: shares.signedIn },
  };
};

/** After a right proof; what strangers guessed meanwhile stays counted where a known browser proved it. */
export const forgiveVisitor = async (identity: Database, { keys, signedIn, device }: Visitor): Promise<void> => {
  if (device === undefined) return forgiveFailures(identity, keys);
  await forgiveKey(identity, device);
  await forgiveKey(identity, signedIn);
};
