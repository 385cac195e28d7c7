import { LIMITS } from '@svc/contract/tables/limits.ts';
import { getAddressGroup } from '@svc/domain/people/auth/address-group.ts';
import { guessShares } from '@svc/domain/people/auth/guess-shares.ts';
import { hashSecret } from '@svc/keyring/tokens/secret-token.ts';
import type { FailureKeys, GuessKey, LockoutTerms } from '@svc/postgres/people/auth/sign-in-failures.ts';

const digest = (...parts: readonly string[]): string => hashSecret(parts.join('\n')).toString('hex');

/** Returns the keys that failures are counted under. They are digests, since people type passwords in the e-mail field. */
export const listFailureKeys = (email: string, sourceIp: string): FailureKeys => {
  const group = getAddressGroup(sourceIp);
  return {
    account: `account:${digest(email)}`,
    address: `address:${group}`,
    accountAtAddress: `account_at_address:${digest(email, group)}`,
  };
};

/** The keys that a guess is counted under, and those whose lockout applies to it. */
export type GuessKeys = {
  readonly counted: readonly GuessKey[];
  readonly guardedBy: readonly string[];
  /** The key whose guesses include these: its lockout applies too, and it counts only if no earlier key was locked. */
  readonly within?: GuessKey;
  /** Failures under this key delay the answer once there are more than `freeAttempts`. */
  readonly delayedBy?: { readonly key: string; readonly freeAttempts: number };
};

/** Wrong guesses of one address until its lockout. Many people may share it, so it is a multiple of the account's. */
const addressAttemptsMax = (attemptsMax: number): number => attemptsMax * LIMITS.addressGuesses.perAccountGuessCount;

/** Returns the keys of an unauthenticated client's guess at an account: a password, or a code of a factor, a mail or a terminal. */
export const listUnauthenticatedGuessKeys = (
  { attemptsMax }: LockoutTerms,
  { account, address, accountAtAddress }: FailureKeys,
): GuessKeys => ({
  counted: [
    { key: account, attemptsMax: guessShares(attemptsMax).strangers },
    { key: address, attemptsMax: addressAttemptsMax(attemptsMax) },
    { key: accountAtAddress, attemptsMax },
  ],
  guardedBy: [account, address],
  delayedBy: { key: address, freeAttempts: attemptsMax },
});

/** Key that counts guesses from a browser in which a person has signed in. */
export const getDeviceKey = (userId: string, deviceId: string): string => `device:${digest(userId, deviceId)}`;

/** Key that counts guesses from all sessions of an account and from known browsers. No other client adds to it. */
export const getSignedInKey = (email: string): string => `signed_in:${digest(email)}`;

type VouchedFor = { readonly userId: string; readonly organizationId: string };

/**
 * Keys that count guesses of a person whom only the provider of one organization vouches for: at the second factor of a sign-in, and in
 * sessions. They lock nothing in other organizations.
 */
export const listVouchedKeys = ({ userId, organizationId }: VouchedFor) => ({
  strangers: `vouched_sign_in:${digest(userId, organizationId)}`,
  signedIn: `vouched_session:${digest(userId, organizationId)}`,
});

/** Key that counts the guesses of all providers at one secret of a person: their password, or a factor by its id. */
export const getVouchedSecretKey = (userId: string, secret: string): string => `vouched_secret:${digest(userId, secret)}`;

/** Returns the keys of a guess in a re-authentication. */
export const listStepUpGuessKeys = ({ attemptsMax }: LockoutTerms, email: string): GuessKeys => {
  const key = getSignedInKey(email);
  return { counted: [{ key, attemptsMax: guessShares(attemptsMax).signedIn }], guardedBy: [key] };
};

/** Whole seconds until a lockout ends, for Retry-After. */
export const getSecondsUntil = (time: string, now: Date): number => Math.max(1, Math.ceil((Date.parse(time) - now.getTime()) / 1000));
