import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { forgiveVisitor, guessOfVisitor, type Visitor } from '@svc/operations/people/auth/guess-of-visitor.ts';
import { checkUnderLockout } from '@svc/operations/people/auth/under-lockout.ts';
import { claimAccount } from '@svc/operations/people/members/claim-account.ts';
import { hashNewPassword } from '@svc/operations/people/passwords/hash-new-password.ts';
import { hashResetCode, isGuessable, isOperatorsSecret } from '@svc/operations/people/passwords/reset-codes.ts';
import { resetPassword as reset, WRONG_RESET_CODE } from '@svc/operations/people/passwords/reset-password.ts';
import { findAccount } from '@svc/postgres/people/auth/people.ts';
import { isResetCode, type ResetCode } from '@svc/postgres/people/passwords/password-resets.ts';
import { findOwnPassword } from '@svc/postgres/people/passwords/passwords.ts';
import { getVisitorKey, knowBrowser } from '../auth/sign-in/known-browser.ts';
import { getLockoutTerms } from '../auth/sign-in/lockout-terms.ts';
import { recordFailure } from '../auth/sign-in/record-failure.ts';
import type { PeopleDeps } from '../deps.ts';

type ResetCall = Call<Endpoints['resetPassword']>;
type Claiming = Parameters<typeof claimAccount>[0];

/**
 * Checks a code. Mailed digits count with guesses at the password, so that they cannot bypass the lockout; a token too long to guess is not
 * limited.
 */
const isRight = async (call: ResetCall, { identity, settings }: PeopleDeps, visitor: Visitor, code: ResetCode) => {
  if (!isGuessable(call.body.code)) return isResetCode(identity, code);
  const checks = { identity, lockout: getLockoutTerms(settings) };
  const guess = { ...(await guessOfVisitor(checks, visitor, call.now)), now: call.now };
  return checkUnderLockout(checks, guess, () => isResetCode(identity, code));
};

/** Sets a new password. It creates no session: the user signs in with the new password and is asked for the second factor as usual. */
export const resetPassword: Handler<Endpoints['resetPassword'], PeopleDeps> = async (call, deps) => {
  const { body, now } = call;
  const email = body.email.toLowerCase();
  const account = await findAccount(deps.identity, email, undefined);
  const code = hashResetCode(deps.resetKeys, email, body.code, now);
  const visitor = getVisitorKey(call, deps, email, account);
  const right = await isRight(call, deps, visitor, code);
  if (typeof right !== 'boolean') return right;
  if (!right || !account) return recordFailure(call, account, { data: { password_reset: true }, message: WRONG_RESET_CODE });
  const { user_id: userId } = account;
  const { has_factor, is_proved } = await findOwnPassword(deps.identity, userId);
  const known = [account.email, account.name, account.organization_name];
  const provesAddress = !is_proved && !isOperatorsSecret(body.code);
  const beside = has_factor && !provesAddress ? 'a second factor' : 'nothing';
  const hashed = await hashNewPassword(deps.passwords, { password: body.new_password, known, beside, of: 'stranger' });
  if (isRefusal(hashed)) return hashed;
  if ('fault' in hashed) return call.fault('/new_password', hashed.fault);
  const by = isOperatorsSecret(body.code) ? ('OPERATOR' as const) : ('MAIL_CODE' as const);
  const proving = { desk: deps, posting: call, organizationId: account.organization_id, by: 'MAIL_CODE' } as const;
  const claim = provesAddress ? (change: Claiming) => claimAccount(change, proving, { id: userId, email }) : undefined;
  const request = { code, account, email, claim, by, hashed, posting: call };
  const answer = await call.change((change) => reset(change, request, deps), undefined, {
    scope: { organization_id: account.organization_id },
    actor: { type: 'USER', id: userId, name: account.name },
  });
  // Only now, so that a held-back code resets no count of guesses at the password; and none at a second factor, which still has to be
  // proved.
  if (!isRefusal(answer) && (!has_factor || provesAddress)) {
    await forgiveVisitor(deps.identity, visitor);
    knowBrowser(call, deps, { user_id: userId, password_changed_at: answer.password_changed_at });
  }
  return answer;
};
