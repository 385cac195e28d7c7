import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { findOnlyOrganization } from '@svc/domain/people/auth/find-only-organization.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { hashSecret } from '@svc/keyring/tokens/secret-token.ts';
import { refuseEndedInvitation, takeUpInvitation } from '@svc/operations/people/invitations/take-up-invitation.ts';
import { findInvitationByCode } from '@svc/postgres/people/invitations/find-by-code.ts';
import type { PeopleDeps } from '../deps.ts';

const ANOTHER = 'This invitation is for another address than that of the account you are signed in with: sign in with the invited one.';

const UNPROVED =
  'The address of this account is not verified. Sign out and accept the invitation with a name and a new password; this verifies the address and removes previous credentials.';

const VOUCHED =
  'This session rests on the single sign-on of one organization: sign in with a password or passkey of your own to join another. If you have no password, set one by POST /v1/auth/password/reset/start.';

/** Joins an organization. The current session continues; a switch leads to the new organization. */
export const joinOrganization: Handler<Endpoints['joinOrganization'], PeopleDeps> = async (call, { identity }) => {
  const { caller, now } = call;
  if (findOnlyOrganization(caller) !== undefined) return call.refuse('PERMISSION_DENIED', VOUCHED);
  const codeHash = hashSecret(call.body.code);
  const found = await findInvitationByCode(identity, codeHash, now);
  if (!found) return refuseEndedInvitation();
  if (found.account?.id !== caller.actor.id) return call.refuse('PERMISSION_DENIED', ANOTHER);
  if (!found.account.is_proved) return call.refuse('PERMISSION_DENIED', UNPROVED);
  const { organization_id: organizationId, id, organization_name: name } = found;
  const taking = { organizationId, invitation: { id, codeHash }, userId: caller.actor.id, memberId: call.newId('member'), now };
  return call.change(
    async (change) => {
      const taken = await takeUpInvitation(change, taking);
      return isRefusal(taken) ? taken : { organization: { id: organizationId, name }, member: taken.member };
    },
    { members_are_once_per_organization: () => call.refuse('CONFLICT', 'You are a member of this organization already.') },
    { scope: { organization_id: organizationId }, actor: caller.actor },
  );
};
