import type { Endpoints } from '@svc/contract/endpoints.ts';
import { NOBODYS_ORGANIZATION } from '@svc/contract/people/nobodys-organization.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { forgiveVisitor, guessOfVisitor, type Visitor } from '@svc/operations/people/auth/guess-of-visitor.ts';
import { underLockout } from '@svc/operations/people/auth/under-lockout.ts';
import { claimAccount } from '@svc/operations/people/members/claim-account.ts';
import { hashNewPassword } from '@svc/operations/people/passwords/hash-new-password.ts';
import { postPasswordChanged } from '@svc/operations/people/passwords/post-password-changed.ts';
import { isGuessable, isOperatorsSecret, resetCodeKeys, resetCodeOf } from '@svc/operations/people/passwords/reset-codes.ts';
import { FACTOR_GONE, storePassword } from '@svc/operations/people/passwords/store-password.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { keep } from '@svc/postgres/change/change.ts';
import { type Account, findAccount } from '@svc/postgres/people/auth/people.ts';
import { endResetCodes, isResetCode, type ResetCode, takeResetCode } from '@svc/postgres/people/passwords/password-resets.ts';
import { findOwnPassword } from '@svc/postgres/people/passwords/passwords.ts';
import { knowBrowser, visitorOf } from '../auth/sign-in/known-browser.ts';
import { lockoutTerms } from '../auth/sign-in/lockout-terms.ts';
import type { PeopleDeps } from '../deps.ts';

type ResetCall = Call<Endpoints['resetPassword']>;

const WRONG = 'The code for this address is wrong, used or expired. Open the link in the mail, or request a new code.';

const refuseWrong = (call: ResetCall, account: Account | undefined) =>
  call.change(
    async ({ emit }) => {
      const data = { password_reset: true, source_ip: call.sourceIp };
      emit('user.login_failed', { ...about.user({ id: account?.user_id ?? 'unknown' }), data });
      return keep(call.refuse('INVALID_CREDENTIALS', WRONG));
    },
    undefined,
    { scope: { organization_id: account?.organization_id ?? NOBODYS_ORGANIZATION }, actor: { type: 'SYSTEM', id: 'system', name: null } },
  );

/** Digits that were mailed count with guesses at the password, so that no lockout is dodged here; what nobody guesses is in nobody's way. */
const isRight = async (call: ResetCall, { identity, settings }: PeopleDeps, visitor: Visitor, code: ResetCode) => {
  if (!isGuessable(call.body.code)) return isResetCode(identity, code);
  const checks = { identity, lockout: lockoutTerms(settings) };
  const guess = { ...(await guessOfVisitor(checks, visitor, call.now)), now: call.now };
  return underLockout(checks, guess, () => isResetCode(identity, code));
};

/** Gives no session: whoever set a new password signs in with it, and is asked for the second factor as ever. */
export const resetPassword: Handler<Endpoints['resetPassword'], PeopleDeps> = async (call, deps) => {
  const { body, now } = call;
  const email = body.email.toLowerCase();
  const account = await findAccount(deps.identity, email, undefined);
  const code = resetCodeOf(deps.resetKeys, email, body.code, now);
  const visitor = visitorOf(call, deps, email, account);
  const right = await isRight(call, deps, visitor, code);
  if (typeof right !== 'boolean') return right;
  if (!right || !account) return refuseWrong(call, account);
  const { user_id: userId, organization_id } = account;
  const { has_factor, is_proved } = await findOwnPassword(deps.identity, userId);
  const known = [account.email, account.name, account.organization_name];
  const isProof = !is_proved && !isOperatorsSecret(body.code);
  const beside = has_factor && !isProof ? 'a second factor' : 'nothing';
  const hashed = await hashNewPassword(deps.passwords, { password: body.new_password, known, beside, of: 'stranger' });
  if (isRefusal(hashed)) return hashed;
  if ('fault' in hashed) return call.fault('/new_password', hashed.fault);
  const answer = await call.change(
    async ({ tx, emit }) => {
      if (!(await takeResetCode(tx, code))) return call.refuse('INVALID_CREDENTIALS', WRONG);
      const proving = { desk: deps, posting: call, organizationId: organization_id, by: 'MAIL_CODE' } as const;
      if (isProof) await claimAccount({ tx, emit }, proving, { id: userId, email });
      if (!(await storePassword(tx, { userId, phc: hashed.phc, isShort: hashed.isShort, now })))
        return call.fault('/new_password', FACTOR_GONE);
      await endResetCodes(tx, resetCodeKeys(deps.resetKeys, email), now);
      const by = isOperatorsSecret(body.code) ? 'OPERATOR' : 'MAIL_CODE';
      emit('user.password_changed', { ...about.user({ id: userId }), data: { by, source_ip: call.sourceIp } });
      await postPasswordChanged(deps, call, tx, { email: account.email, organizationId: organization_id });
      return { password_changed_at: now.toISOString() };
    },
    undefined,
    { scope: { organization_id }, actor: { type: 'USER', id: userId, name: account.name } },
  );
  // Only now, so that a code which is kept back forgives no guesses at the password; and none at a second factor, which is still to be proved.
  if (!isRefusal(answer) && (!has_factor || isProof)) {
    await forgiveVisitor(deps.identity, visitor);
    knowBrowser(call, deps, { user_id: userId, password_changed_at: answer.password_changed_at });
  }
  return answer;
};
