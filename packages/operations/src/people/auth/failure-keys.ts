import { addressGroup } from '@svc/domain/people/auth/address-group.ts';
import { guessShares } from '@svc/domain/people/auth/guess-shares.ts';
import { hashSecret } from '@svc/keyring/tokens/secret-token.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import {
  type FailureKeys,
  forgiveFailures,
  forgiveKey,
  type GuessKey,
  type LockoutTerms,
} from '@svc/postgres/people/auth/sign-in-failures.ts';

const digest = (...parts: readonly string[]): string => hashSecret(parts.join('\n')).toString('hex');

/** What failures are counted under. Digests, since people type passwords where the e-mail belongs. */
export const failureKeys = (email: string, sourceIp: string): FailureKeys => {
  const group = addressGroup(sourceIp);
  return {
    account: `account:${digest(email)}`,
    address: `address:${group}`,
    accountAtAddress: `account_at_address:${digest(email, group)}`,
  };
};

/** The keys a guess is counted under, and those of them whose lockout holds for it. */
export type Counted = { readonly counted: readonly GuessKey[]; readonly guardedBy: readonly string[] };

/** Of whoever is not signed in as the account, by whatever they guess: a password, a code of a factor, of a mail or of a terminal. */
export const guessOfStranger = ({ attemptsMax }: LockoutTerms, { account, address, accountAtAddress }: FailureKeys): Counted => ({
  counted: [
    { key: account, attemptsMax: guessShares(attemptsMax).strangers },
    { key: address, attemptsMax },
    { key: accountAtAddress, attemptsMax },
  ],
  guardedBy: [account, address],
});

/** What guesses from a browser are counted under that a person has signed in with. */
export const deviceKey = (userId: string, deviceId: string): string => `device:${digest(userId, deviceId)}`;

/** Somebody who is not signed in: with a browser that the account has signed in with before, or with any. */
export type Visitor = { readonly keys: FailureKeys; readonly device: string | undefined };

/**
 * A browser that is known has as many guesses as all strangers together, and these alone count for it: nobody else adds to them or takes of
 * them, whatever is locked for strangers.
 */
export const guessOfVisitor = (terms: LockoutTerms, { keys, device }: Visitor): Counted =>
  device === undefined
    ? guessOfStranger(terms, keys)
    : { counted: [{ key: device, attemptsMax: guessShares(terms.attemptsMax).strangers }], guardedBy: [device] };

/** After a right proof; what strangers guessed meanwhile stays counted where a known browser proved it. */
export const forgiveVisitor = (identity: Database, { keys, device }: Visitor): Promise<void> =>
  device === undefined ? forgiveFailures(identity, keys) : forgiveKey(identity, device);

/** What guesses from all sessions of an account are counted under. Nobody without a session adds to it. */
export const signedInKey = (email: string): string => `signed_in:${digest(email)}`;

/** Of somebody who is signed in and proves anew who they are. */
export const guessOfSignedIn = ({ attemptsMax }: LockoutTerms, email: string): Counted => {
  const key = signedInKey(email);
  return { counted: [{ key, attemptsMax: guessShares(attemptsMax).signedIn }], guardedBy: [key] };
};

/** Whole seconds until a lockout ends, for Retry-After. */
export const secondsUntil = (time: string, now: Date): number => Math.max(1, Math.ceil((Date.parse(time) - now.getTime()) / 1000));
