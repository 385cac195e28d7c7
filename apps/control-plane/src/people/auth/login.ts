import type { Endpoints } from '@svc/contract/endpoints.ts';
import { NOBODYS_ORGANIZATION } from '@svc/contract/people/nobodys-organization.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { checkPassword } from '@svc/operations/people/auth/check-password.ts';
import { failureKeys } from '@svc/operations/people/auth/failure-keys.ts';
import { finishSignIn } from '@svc/operations/people/auth/finish-sign-in.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { keep } from '@svc/postgres/change/change.ts';
import { type Account, findAccount } from '@svc/postgres/people/auth/people.ts';
import type { ControlDeps } from '../../deps.ts';
import { newOpening } from './sign-in/new-opening.ts';

type LoginCall = Call<Endpoints['login']>;

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
    (change) => finishSignIn(change, newOpening(call, deps.settings), { user, organization, rights: account }, ['PASSWORD']),
    undefined,
    { scope: { organization_id: organization.id }, actor: { type: 'USER', id: user.id, name: user.name } },
  );
};

/** Whoever is no member of the organization that is named, or of any, is answered as for a wrong password, after the same steps. */
export const login: Handler<Endpoints['login'], ControlDeps> = async (call, deps) => {
  const email = call.body.email.toLowerCase();
  const counted = failureKeys(email, call.sourceIp);
  const account = await findAccount(deps.identity, email, call.body.organization_id);
  const { identity, passwords, settings } = deps;
  const lockout = { attemptsMax: settings.loginAttemptsMax, lockoutSeconds: settings.lockoutSeconds };
  const right = await checkPassword(
    { identity, passwords, lockout },
    {
      password: call.body.password,
      passwordHash: async () => account?.password_hash ?? null,
      counted,
      now: call.now,
      of: 'stranger',
      guardedBy: [counted.account, counted.address],
    },
  );
  if (typeof right !== 'boolean') return right;
  return right && account ? recordSuccess(call, deps, account) : recordFailure(call, account);
};
