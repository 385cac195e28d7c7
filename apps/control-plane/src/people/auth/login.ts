import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { keep } from '@svc/postgres/change/change.ts';
import { type Account, findAccount } from '@svc/postgres/people/auth/people.ts';
import type { ControlDeps } from '../../deps.ts';
import { checkPassword } from './sign-in/check-password.ts';
import { failureKeys } from './sign-in/failure-keys.ts';
import { openSession } from './sign-in/open-session.ts';

type LoginCall = Call<Endpoints['login']>;

/**
 * Where failed sign-ins to accounts that do not exist are recorded. No tenant can read it; it is there so that such a failure takes
 * the same steps, and so the same time, as one to an account that exists.
 */
const NOBODYS_ORGANIZATION = 'org_00000000000000000000000000';

const recordFailure = (call: LoginCall, account: Account | undefined) =>
  call.change(
    async ({ emit }) => {
      emit('user.login_failed', { ...about.user({ id: account?.user_id ?? 'unknown' }), data: { source_ip: call.sourceIp } });
      return keep(call.refuse('INVALID_CREDENTIALS'));
    },
    undefined,
    // Who tried is not known, so the person of the account is the subject and never the actor.
    { scope: { organization_id: account?.organization_id ?? NOBODYS_ORGANIZATION }, actor: { type: 'SYSTEM', id: 'system', name: null } },
  );

const recordSuccess = (call: LoginCall, deps: ControlDeps, account: Account) => {
  const user = { id: account.user_id, email: account.email, name: account.name };
  const organization = { id: account.organization_id, name: account.organization_name };
  return call.change(
    async ({ tx, emit }) => {
      const { id, answer } = await openSession(tx, call, deps, { user, organization, roleId: account.role_id });
      emit('user.login_succeeded', { ...about.user(user), data: { session_id: id, source_ip: call.sourceIp } });
      return answer;
    },
    undefined,
    { scope: { organization_id: organization.id }, actor: { type: 'USER', id: user.id, name: user.name } },
  );
};

export const login: Handler<Endpoints['login'], ControlDeps> = async (call, deps) => {
  const email = call.body.email.toLowerCase();
  const counted = failureKeys(email, call.sourceIp);
  const account = await findAccount(deps.identity, email);
  const right = await checkPassword(deps, {
    password: call.body.password,
    passwordHash: async () => account?.password_hash ?? null,
    counted,
    now: call.now,
    of: 'stranger',
    guardedBy: [counted.account, counted.address],
  });
  if (typeof right !== 'boolean') return right;
  return right && account ? recordSuccess(call, deps, account) : recordFailure(call, account);
};
