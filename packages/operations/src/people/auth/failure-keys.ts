import { LIMITS } from '@svc/contract/tables/limits.ts';
import { addressGroup } from '@svc/domain/people/auth/address-group.ts';
import { guessShares } from '@svc/domain/people/auth/guess-shares.ts';
import { hashSecret } from '@svc/keyring/tokens/secret-token.ts';
import type { FailureKeys, GuessKey, LockoutTerms } from '@svc/postgres/people/auth/sign-in-failures.ts';

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
export type Counted = {
  readonly counted: readonly GuessKey[];
  readonly guardedBy: readonly string[];
  /** Whose guesses these are a part of: holds too, and is counted only where nothing before it was locked. */
  readonly within?: GuessKey;
  /** Failures under this key delay the answer once there are more than `freeAttempts`. */
  readonly delayedBy?: { readonly key: string; readonly freeAttempts: number };
};

/** Wrong guesses of one address until its lockout. Many people may share it, so it is several times what an account has. */
const addressAttemptsMax = (attemptsMax: number): number => attemptsMax * LIMITS.addressGuesses.perAccountGuessCount;

/** Of whoever is not signed in as the account, by whatever they guess: a password, a code of a factor, of a mail or of a terminal. */
export const guessOfStranger = ({ attemptsMax }: LockoutTerms, { account, address, accountAtAddress }: FailureKeys): Counted => ({
  counted: [
    { key: account, attemptsMax: guessShares(attemptsMax).strangers },
    { key: address, attemptsMax: addressAttemptsMax(attemptsMax) },
    { key: accountAtAddress, attemptsMax },
  ],
  guardedBy: [account, address],
  delayedBy: { key: address, freeAttempts: attemptsMax },
});

/** What guesses from a browser are counted under that a person has signed in with. */
export const deviceKey = (userId: string, deviceId: string): string => `device:${digest(userId, deviceId)}`;

/** What guesses from all sessions of an account are counted under, and from browsers that are known. Nobody else adds to it. */
export const signedInKey = (email: string): string => `signed_in:${digest(email)}`;

type VouchedFor = { readonly userId: string; readonly organizationId: string };

/**
 * Keys that count guesses of a person whom only the provider of one organization vouches for: at the second factor of a sign-in, and in
 * sessions. They lock nothing in other organizations.
 */
export const vouchedKeys = ({ userId, organizationId }: VouchedFor) => ({
  strangers: `vouched_sign_in:${digest(userId, organizationId)}`,
  signedIn: `vouched_session:${digest(userId, organizationId)}`,
});

/** Key that counts the guesses of all providers at one secret of a person: their password, or a factor by its id. */
export const vouchedSecretKey = (userId: string, secret: string): string => `vouched_secret:${digest(userId, secret)}`;

/** Of somebody who is signed in and proves anew who they are. */
export const guessOfSignedIn = ({ attemptsMax }: LockoutTerms, email: string): Counted => {
  const key = signedInKey(email);
  return { counted: [{ key, attemptsMax: guessShares(attemptsMax).signedIn }], guardedBy: [key] };
};

/** Whole seconds until a lockout ends, for Retry-After. */
export const secondsUntil = (time: string, now: Date): number => Math.max(1, Math.ceil((Date.parse(time) - now.getTime()) / 1000));
