import { LIMITS } from '@svc/contract/tables/limits.ts';
import { guessShares } from '@svc/domain/people/auth/guess-shares.ts';
import { listLockedKeys } from '@svc/postgres/people/auth/sign-in-failures.ts';
import { type GuessKeys, getVouchedSecretKey, listStepUpGuessKeys, listVouchedKeys } from '../failure-keys.ts';
import type { Lockout } from '../under-lockout.ts';

/** Secrets of a person that a guess is compared with: the password if one was sent, and the code generators if a code was sent. */
export type Guessed = { readonly password: boolean; readonly totps: readonly string[] };

export type VouchedGuess = {
  readonly guess: GuessKeys;
  /** Code generators that accept no code from sign-ins of providers at this moment. */
  readonly closed: ReadonlySet<string>;
};

const PASSWORD = 'password';
const NONE: ReadonlySet<string> = new Set();

type Vouched = { readonly userId: string; readonly organizationId: string; readonly share: 'strangers' | 'signedIn' };

/**
 * Returns the keys of a guess that depends on one organization's provider alone: the person and that organization, for all sign-ins of the
 * provider, and each secret that it is compared with, for all providers. Neither locks anything for other sign-ins.
 */
export const guessOfVouched = async (
  { identity, lockout }: Lockout,
  { userId, organizationId, share }: Vouched,
  { password, totps }: Guessed,
  now: Date,
): Promise<VouchedGuess> => {
  const person = { key: listVouchedKeys({ userId, organizationId })[share], attemptsMax: guessShares(lockout.attemptsMax)[share] };
  const getKey = (secret: string): string => getVouchedSecretKey(userId, secret);
  const locked = await listLockedKeys(identity, totps.map(getKey), now);
  const open = totps.filter((id) => !locked.has(getKey(id)));
  // If every TOTP secret is closed, all of them apply to the guess, and so refuse it.
  const compared = [...(password ? [PASSWORD] : []), ...(open.length > 0 ? open : totps)].map(getKey);
  const secrets = compared.map((key) => ({ key, attemptsMax: LIMITS.secondFactors.vouchedGuessesMax }));
  return {
    guess: { counted: [person, ...secrets], guardedBy: [person.key, ...compared] },
    closed: new Set(totps.filter((id) => locked.has(getKey(id)))),
  };
};

type Session = { readonly userId: string; readonly email: string; readonly vouchedBy: string | undefined };

/** Returns the keys of a signed-in person's guess: the account, or the organization whose provider alone vouched for the session. */
export const guessOfSession = async (
  checks: Lockout,
  { userId, email, vouchedBy }: Session,
  guessed: Guessed,
  now: Date,
): Promise<VouchedGuess> =>
  vouchedBy === undefined
    ? { guess: listStepUpGuessKeys(checks.lockout, email), closed: NONE }
    : guessOfVouched(checks, { userId, organizationId: vouchedBy, share: 'signedIn' }, guessed, now);
