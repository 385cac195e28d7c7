import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Call } from '@svc/http/calls/call.ts';
import { openProvedSession } from '@svc/operations/people/auth/finish-sign-in.ts';
import { hashNewPassword } from '@svc/operations/people/auth/hash-new-password.ts';
import { takeUpInvitation } from '@svc/operations/people/invitations/take-up-invitation.ts';
import { insertPerson } from '@svc/postgres/people/auth/people.ts';
import type { OpenInvitation } from '@svc/postgres/people/invitations/find-by-code.ts';
import type { ControlDeps } from '../../../deps.ts';
import { newOpening } from '../../auth/sign-in/new-opening.ts';

type Accepting = Call<Endpoints['acceptInvitation']>;

const MEANWHILE = 'The address has an account by now: send its password, or sign in and use POST /v1/auth/invitations/join.';

/** A person nobody knows yet: the account is made with the membership, of an address that the code has proved. */
export const acceptAsNew = async (call: Accepting, deps: ControlDeps, found: OpenInvitation & { readonly codeHash: Buffer }) => {
  const { name, password } = call.body;
  if (name === undefined) return call.fault('/name', 'This member is required: the address has no account yet.');
  if (password === undefined) return call.fault('/password', 'This member is required: the address has no account yet.');
  const { email, organization_id, organization_name, id, codeHash } = found;
  const known = [email, name, organization_name];
  const hashed = await hashNewPassword(deps.passwords, { password, known, beside: 'nothing', of: 'stranger' });
  if (isRefusal(hashed)) return call.refuse('RATE_LIMITED', hashed.message, hashed.details);
  if ('fault' in hashed) return call.fault('/password', hashed.fault);
  const user = { id: call.newId('user'), email, name };
  const organization = { id: organization_id, name: organization_name };
  const taking = { organizationId: organization_id, invitation: { id, codeHash }, userId: user.id, memberId: call.newId('member') };
  return call.change(
    async (change) => {
      await insertPerson(change.tx, { ...user, password_hash: hashed.phc }, call.now);
      const taken = await takeUpInvitation(change, { ...taking, now: call.now });
      if (isRefusal(taken)) return taken;
      const opening = newOpening(call, deps.settings);
      return openProvedSession(change, opening, { user, organization, rights: taken.rights }, ['MAIL_CODE', 'PASSWORD']);
    },
    { users_email_is_unique: () => call.refuse('CONFLICT', MEANWHILE) },
    { scope: { organization_id }, actor: { type: 'USER', id: user.id, name } },
  );
};
