import type { Caller } from '@svc/http/calls/call.ts';
import { failureKeys } from '@svc/operations/people/auth/failure-keys.ts';
import type { GuessChecks } from '@svc/operations/people/auth/guesses/check-guess.ts';
import type { ControlDeps } from '../../../deps.ts';

type Guesser = { readonly caller: Caller; readonly sourceIp: string; readonly now: Date };

/** Under what wrong user codes of a signed-in person are counted. The account alone guards: neighbours at an address keep nobody from approving. */
export const guessTerms = ({ caller, sourceIp, now }: Guesser, { identity, settings }: ControlDeps) => {
  const counted = failureKeys((caller.email ?? '').toLowerCase(), sourceIp);
  const checks: GuessChecks = { identity, lockout: { attemptsMax: settings.loginAttemptsMax, lockoutSeconds: settings.lockoutSeconds } };
  return { checks, guess: { counted, guardedBy: [counted.account], now } };
};
