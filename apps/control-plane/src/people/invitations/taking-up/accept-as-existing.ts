import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Call } from '@svc/http/calls/call.ts';
import { checkPassword } from '@svc/operations/people/auth/check-password.ts';
import { finishSignIn } from '@svc/operations/people/auth/finish-sign-in.ts';
import { takeUpInvitation } from '@svc/operations/people/invitations/take-up-invitation.ts';
import type { OpenInvitation } from '@svc/postgres/people/invitations/find-by-code.ts';
import { getVisitorKey, knowBrowser } from '../../auth/sign-in/known-browser.ts';
import { getLockoutTerms } from '../../auth/sign-in/lockout-terms.ts';
import { newOpening } from '../../auth/sign-in/new-opening.ts';
import { recordFailure } from '../../auth/sign-in/record-failure.ts';
import type { PeopleDeps } from '../../deps.ts';

type Accepting = Call<Endpoints['acceptInvitation']>;
type Found = OpenInvitation & { readonly account: NonNullable<OpenInvitation['account']>; readonly codeHash: Buffer };

const HAS_ACCOUNT = 'The address has an account: send its password, or sign in and use POST /v1/auth/invitations/join.';

/** Returns the person of the account with the row state that their password is compared with. */
const getPerson = ({ id, password_changed_at }: Found['account']) => ({ user_id: id, password_changed_at });

const checked = (call: Accepting, deps: PeopleDeps, { email, account }: Found) => {
  const { identity, passwords, settings } = deps;
  const password = call.body.password ?? '';
  return checkPassword(
    { identity, passwords, lockout: getLockoutTerms(settings) },
    {
      password,
      passwordHash: async () => account.password_hash,
      visitor: getVisitorKey(call, deps, email, getPerson(account)),
      now: call.now,
      of: 'stranger',
      isLast: !account.has_factor,
    },
  );
};

/**
 * Accepts with an existing account, proved by its password as in a sign-in: failures count with other sign-ins, and a second factor is
 * required.
 */
export const acceptAsExisting = async (call: Accepting, deps: PeopleDeps, found: Found) => {
  if (call.body.password === undefined) return call.fault('/password', HAS_ACCOUNT);
  const right = await checked(call, deps, found);
  if (typeof right !== 'boolean') return right;
  if (!right) {
    const account = { user_id: found.account.id, organization_id: found.organization_id };
    return recordFailure(call, account, { data: { invitation: true } });
  }
  const { organization_id, organization_name, account, email, id, codeHash } = found;
  const user = { id: account.id, email, name: account.name };
  const organization = { id: organization_id, name: organization_name };
  const taking = { organizationId: organization_id, invitation: { id, codeHash }, userId: user.id, memberId: call.newId('member') };
  const answer = await call.change(
    async (change) => {
      const taken = await takeUpInvitation(change, { ...taking, now: call.now });
      if (isRefusal(taken)) return taken;
      const opening = newOpening(call, deps.settings);
      // The membership is new, so its epoch is the first: what counts is the person's epoch when the password was read.
      const signedIn = { user, organization, rights: taken.rights, epoch: account.session_epoch };
      return finishSignIn(change, opening, signedIn, ['PASSWORD', 'MAIL_CODE']);
    },
    { members_are_once_per_organization: () => call.refuse('CONFLICT', 'You are a member of this organization already.') },
    { scope: { organization_id }, actor: { type: 'USER', id: user.id, name: user.name } },
  );
  if ('token' in answer) knowBrowser(call, deps, getPerson(account));
  return answer;
};
