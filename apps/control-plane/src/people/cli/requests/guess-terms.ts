import { findOnlyOrganization } from '@svc/domain/people/auth/find-only-organization.ts';
import type { Call, Caller } from '@svc/http/calls/call.ts';
import { guessOfVisitor } from '@svc/operations/people/auth/guess-of-visitor.ts';
import { guessOfVouched } from '@svc/operations/people/auth/guesses/guess-of-vouched.ts';
import type { Guess, Lockout } from '@svc/operations/people/auth/under-lockout.ts';
import { findOwnPassword } from '@svc/postgres/people/passwords/passwords.ts';
import { getVisitorKey } from '../../auth/sign-in/known-browser.ts';
import { getLockoutTerms } from '../../auth/sign-in/lockout-terms.ts';
import type { PeopleDeps } from '../../deps.ts';

type Guesser = Pick<Call<never>, 'cookie' | 'sourceIp' | 'now'> & { readonly caller: Caller };

/** Guesses in a session for which only one organization's provider vouched count in that organization, and lock nothing elsewhere. */
const guessTermsOfVouched = async (checks: Lockout, userId: string, organizationId: string, now: Date) => {
  const { guess } = await guessOfVouched(checks, { userId, organizationId, share: 'strangers' }, { password: false, totps: [] }, now);
  return { checks, guess: { ...guess, now } };
};

/**
 * Returns the key under which wrong user codes of a signed-in person are counted: with guesses of unauthenticated clients, or in a known
 * browser with its own, so that the last guess at a step-up is never used up. The network address is not a key: neighbours at the same
 * address cannot prevent an approval.
 */
export const guessTerms = async (call: Guesser, deps: PeopleDeps): Promise<{ readonly checks: Lockout; readonly guess: Guess }> => {
  const { caller, now } = call;
  const { identity, settings } = deps;
  const checks = { identity, lockout: getLockoutTerms(settings) };
  const vouchedBy = findOnlyOrganization(caller);
  if (vouchedBy !== undefined) return guessTermsOfVouched(checks, caller.actor.id, vouchedBy, now);
  const { changed_at } = await findOwnPassword(identity, caller.actor.id);
  const person = changed_at === null ? undefined : { user_id: caller.actor.id, password_changed_at: changed_at };
  const visitor = getVisitorKey(call, deps, (caller.email ?? '').toLowerCase(), person);
  const guess = await guessOfVisitor(checks, visitor, now);
  return { checks, guess: { ...guess, guardedBy: guess.guardedBy.filter((key) => key !== visitor.keys.address), now } };
};
