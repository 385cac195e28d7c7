import { setTimeout as sleep } from 'node:timers/promises';
import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { guessDelayMs } from '@svc/domain/people/auth/guess-delay.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { countGuess, type GuessKey, type LockoutTerms, lockedUntil } from '@svc/postgres/people/auth/sign-in-failures.ts';
import { type Counted, secondsUntil } from './failure-keys.ts';

export type Lockout = { readonly identity: Database; readonly lockout: LockoutTerms };

export type Guess = Counted & { readonly now: Date };

/**
 * Asks whether a guess is right, under the lockout. Asked before, so that what is locked costs no work; and every guess, a right one too, is
 * counted after in the order of all of them, and told only where that found nothing locked: of many at once no more are told than would have
 * been one by one, and a right one that comes after the lock is told like a wrong one.
 */
export const underLockout = async (
  { identity, lockout: terms }: Lockout,
  { counted, guardedBy, within, delayedBy, now }: Guess,
  isRight: () => Promise<boolean | Refusal<'RATE_LIMITED'>>,
): Promise<boolean | Refusal<'RATE_LIMITED'>> => {
  const lockout = async (): Promise<Refusal<'RATE_LIMITED'> | undefined> => {
    const until = await lockedUntil(identity, within === undefined ? guardedBy : [...guardedBy, within.key], now);
    return until === undefined
      ? undefined
      : refusal('RATE_LIMITED', 'Too many failed attempts for this account or from this address; try again later.', {
          retry_after_seconds: secondsUntil(until, now),
        });
  };
  const locked = await lockout();
  if (locked) return locked;
  const right = await isRight();
  if (typeof right !== 'boolean') return right;
  const count = (keys: readonly GuessKey[]) => countGuess(identity, keys, { isRight: right, now, lockoutSeconds: terms.lockoutSeconds });
  const kept = await count(counted);
  const failures = kept.find(({ key }) => key === delayedBy?.key)?.failures ?? 0;
  // A right guess waits as long: an attacker who breaks off a slow answer learns nothing.
  const delayMs = delayedBy === undefined ? 0 : guessDelayMs(failures - delayedBy.freeAttempts);
  if (delayMs > 0) await sleep(delayMs);
  const isTold =
    guardedBy.every((key) => kept.some((each) => each.key === key)) && (within === undefined || (await count([within])).length > 0);
  return isTold ? right : ((await lockout()) ?? false);
};
