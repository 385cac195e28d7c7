import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { checkPassword } from '@svc/operations/people/auth/check-password.ts';
import { getSignedInKey } from '@svc/operations/people/auth/failure-keys.ts';
import { finishSignIn } from '@svc/operations/people/auth/finish-sign-in.ts';
import { findAccount, type SignInAccount } from '@svc/postgres/people/auth/people.ts';
import { unlock } from '@svc/postgres/people/auth/sign-in-failures.ts';
import type { PeopleDeps } from '../deps.ts';
import { getVisitorKey, knowBrowser } from './sign-in/known-browser.ts';
import { getLockoutTerms } from './sign-in/lockout-terms.ts';
import { newOpening } from './sign-in/new-opening.ts';
import { recordFailure } from './sign-in/record-failure.ts';

type LoginCall = Call<Endpoints['login']>;

const recordSuccess = (call: LoginCall, deps: PeopleDeps, account: SignInAccount) => {
  const user = { id: account.user_id, email: account.email, name: account.name };
  const organization = { id: account.organization_id, name: account.organization_name };
  return call.change(
    (change) =>
      finishSignIn(
        change,
        newOpening(call, deps.settings),
        { user, organization, rights: account, epoch: account.person_epoch + account.member_epoch },
        ['PASSWORD'],
      ),
    undefined,
    { scope: { organization_id: organization.id }, actor: { type: 'USER', id: user.id, name: user.name } },
  );
};

/**
 * Signs a user in. A user who is no member of the named organization, or of any, gets the response of a wrong password, after the same
 * steps.
 */
export const login: Handler<Endpoints['login'], PeopleDeps> = async (call, deps) => {
  const email = call.body.email.toLowerCase();
  const account = await findAccount(deps.identity, email, call.body.organization_id);
  const { identity, passwords, settings } = deps;
  const right = await checkPassword(
    { identity, passwords, lockout: getLockoutTerms(settings) },
    {
      password: call.body.password,
      passwordHash: async () => account?.password_hash ?? null,
      visitor: getVisitorKey(call, deps, email, account),
      now: call.now,
      of: 'stranger',
      isLast: account?.has_second_factor !== true,
    },
  );
  if (typeof right !== 'boolean') return right;
  if (right && account && !account.has_second_factor) await unlock(identity, getSignedInKey(email));
  if (!right || !account) return recordFailure(call, account);
  const answer = await recordSuccess(call, deps, account);
  if ('token' in answer) knowBrowser(call, deps, account);
  return answer;
};
