import type { Call, Caller } from '@svc/http/calls/call.ts';
import { guessOfVisitor } from '@svc/operations/people/auth/failure-keys.ts';
import type { Guess, Lockout } from '@svc/operations/people/auth/under-lockout.ts';
import { findOwnPassword } from '@svc/postgres/people/auth/passwords.ts';
import type { ControlDeps } from '../../../deps.ts';
import { visitorOf } from '../../auth/sign-in/known-browser.ts';
import { lockoutTerms } from '../../auth/sign-in/lockout-terms.ts';

type Guesser = Pick<Call<never>, 'cookie' | 'sourceIp' | 'now'> & { readonly caller: Caller };

/**
 * Under what wrong user codes of a signed-in person are counted: with what strangers guess, so that none of them takes away from a step-up, and
 * in a browser that is known apart from them. The account alone guards: neighbours at an address keep nobody from approving.
 */
export const guessTerms = async (call: Guesser, deps: ControlDeps): Promise<{ readonly checks: Lockout; readonly guess: Guess }> => {
  const { caller, now } = call;
  const { identity, settings } = deps;
  const lockout = lockoutTerms(settings);
  const { changed_at } = await findOwnPassword(identity, caller.actor.id);
  const person = changed_at === null ? undefined : { user_id: caller.actor.id, password_changed_at: changed_at };
  const visitor = visitorOf(call, deps, (caller.email ?? '').toLowerCase(), person);
  const { counted } = guessOfVisitor(lockout, visitor);
  return { checks: { identity, lockout }, guess: { counted, guardedBy: [visitor.device ?? visitor.keys.account], now } };
};
