import type { Caller } from '@svc/http/calls/call.ts';
import { failureKeys, guessOfStranger } from '@svc/operations/people/auth/failure-keys.ts';
import type { Guess, Lockout } from '@svc/operations/people/auth/under-lockout.ts';
import type { ControlDeps } from '../../../deps.ts';
import { lockoutTerms } from '../../auth/sign-in/lockout-terms.ts';

type Guesser = { readonly caller: Caller; readonly sourceIp: string; readonly now: Date };

/**
 * Under what wrong user codes of a signed-in person are counted: with what strangers guess, so that none of them takes away from a step-up. The
 * account alone guards: neighbours at an address keep nobody from approving.
 */
export const guessTerms = (
  { caller, sourceIp, now }: Guesser,
  { identity, settings }: ControlDeps,
): { readonly checks: Lockout; readonly guess: Guess } => {
  const lockout = lockoutTerms(settings);
  const keys = failureKeys((caller.email ?? '').toLowerCase(), sourceIp);
  const { counted } = guessOfStranger(lockout, keys);
  return { checks: { identity, lockout }, guess: { counted, guardedBy: [keys.account], now } };
};
