import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Call } from '@svc/http/calls/call.ts';
import { openProvedSession } from '@svc/operations/people/auth/finish-sign-in.ts';
import { takeUpInvitation } from '@svc/operations/people/invitations/take-up-invitation.ts';
import { type ClaimEvent, claimAccount } from '@svc/operations/people/members/claim-account.ts';
import { hashNewPassword } from '@svc/operations/people/passwords/hash-new-password.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { insertPerson, renamePerson } from '@svc/postgres/people/auth/people.ts';
import type { OpenInvitation } from '@svc/postgres/people/invitations/find-by-code.ts';
import { setPassword } from '@svc/postgres/people/passwords/passwords.ts';
import { knowBrowser } from '../../auth/sign-in/known-browser.ts';
import { newOpening } from '../../auth/sign-in/new-opening.ts';
import type { PeopleDeps } from '../../deps.ts';

type Accepting = Call<Endpoints['acceptInvitation']>;

type Claiming = Change<'member.joined' | 'user.login_succeeded' | ClaimEvent>;
type Taking = {
  readonly user: { readonly id: string; readonly email: string; readonly name: string };
  readonly organizationId: string;
  readonly phc: string;
};
type Found = OpenInvitation & {
  readonly codeHash: Buffer;
  /** The unproved account with the address, if there is one. */
  readonly unproved: string | undefined;
};

const MEANWHILE = 'The address has an account by now: send its password, or sign in and use POST /v1/auth/invitations/join.';

/** Resets the account to the state of a new one, which the holder of the code is the first to prove. False if another request was first. */
const takeOver = async (change: Claiming, call: Accepting, deps: PeopleDeps, { user, organizationId, phc }: Taking): Promise<boolean> => {
  const proving = { desk: deps, posting: call, organizationId, by: 'INVITATION' } as const;
  if (!(await claimAccount(change, proving, user))) return false;
  await setPassword(change.tx, { userId: user.id, phc, isShort: false, now: call.now });
  await renamePerson(change.tx, user.id, user.name);
  return true;
};

/** Creates the account with the membership. The code proves the address. */
export const acceptAsNew = async (call: Accepting, deps: PeopleDeps, found: Found) => {
  const { name, password } = call.body;
  if (name === undefined) return call.fault('/name', 'This member is required: the address has no account yet.');
  if (password === undefined) return call.fault('/password', 'This member is required: the address has no account yet.');
  const { email, organization_id, organization_name, id, codeHash, unproved } = found;
  const known = [email, name, organization_name];
  const hashed = await hashNewPassword(deps.passwords, { password, known, beside: 'nothing', of: 'stranger' });
  if (isRefusal(hashed)) return call.refuse('RATE_LIMITED', hashed.message, hashed.details);
  if ('fault' in hashed) return call.fault('/password', hashed.fault);
  const user = { id: unproved ?? call.newId('user'), email, name };
  const organization = { id: organization_id, name: organization_name };
  const taking = { organizationId: organization_id, invitation: { id, codeHash }, userId: user.id, memberId: call.newId('member') };
  const answer = await call.change(
    async (change) => {
      if (unproved === undefined) await insertPerson(change.tx, { ...user, password_hash: hashed.phc }, call.now);
      const taken = await takeUpInvitation(change, { ...taking, now: call.now });
      if (isRefusal(taken)) return taken;
      const over = { user, organizationId: organization_id, phc: hashed.phc };
      if (unproved !== undefined && !(await takeOver(change, call, deps, over))) return call.refuse('CONFLICT', MEANWHILE);
      const opening = newOpening(call, deps.settings);
      return openProvedSession(change, opening, { user, organization, rights: taken.rights }, ['MAIL_CODE', 'PASSWORD']);
    },
    {
      users_email_is_unique: () => call.refuse('CONFLICT', MEANWHILE),
      members_are_once_per_organization: () => call.refuse('CONFLICT', 'You are a member of this organization already.'),
    },
    { scope: { organization_id }, actor: { type: 'USER', id: user.id, name } },
  );
  if ('token' in answer) knowBrowser(call, deps, { user_id: user.id, password_changed_at: call.now.toISOString() });
  return answer;
};
