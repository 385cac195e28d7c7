import { setTimeout as sleep } from 'node:timers/promises';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { guessDelayMs } from '@svc/domain/people/auth/guess-delay.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { countGuess, type GuessKey, type LockoutTerms, lockedUntil } from '@svc/postgres/people/auth/sign-in-failures.ts';
import { type GuessKeys, getSecondsUntil } from './failure-keys.ts';

export type Lockout = { readonly identity: Database; readonly lockout: LockoutTerms };

export type Guess = GuessKeys & { readonly now: Date };

/**
 * Checks a guess under the lockout. A locked key costs no work. Every guess, also a right one, is then counted in order, and its result is
 * only returned if it was not locked by then: concurrent guesses disclose no more than sequential ones, and a right guess after the lock
 * gets the response of a wrong one.
 */
export const checkUnderLockout = async (
  { identity, lockout: terms }: Lockout,
  { counted, guardedBy, within, delayedBy, now }: Guess,
  isRight: () => Promise<boolean | Refusal<'RATE_LIMITED'>>,
): Promise<boolean | Refusal<'RATE_LIMITED'>> => {
  const lockout = async (): Promise<Refusal<'RATE_LIMITED'> | undefined> => {
    const until = await lockedUntil(identity, within === undefined ? guardedBy : [...guardedBy, within.key], now);
    return until === undefined
      ? undefined
      : buildRefusal('RATE_LIMITED', 'Too many failed attempts for this account or from this address; try again later.', {
          retry_after_seconds: getSecondsUntil(until, now),
        });
  };
  const locked = await lockout();
  if (locked) return locked;
  const right = await isRight();
  if (typeof right !== 'boolean') return right;
  const count = (keys: readonly GuessKey[]) => countGuess(identity, keys, { isRight: right, now, lockoutSeconds: terms.lockoutSeconds });
  const kept = await count(counted);
  const failures = kept.find(({ key }) => key === delayedBy?.key)?.failures ?? 0;
  // A right guess waits equally long: an attacker who aborts a slow response learns nothing.
  const delayMs = delayedBy === undefined ? 0 : guessDelayMs(failures - delayedBy.freeAttempts);
  if (delayMs > 0) await sleep(delayMs);
  const isTold =
    guardedBy.every((key) => kept.some((each) => each.key === key)) && (within === undefined || (await count([within])).length > 0);
  return isTold ? right : ((await lockout()) ?? false);
};
