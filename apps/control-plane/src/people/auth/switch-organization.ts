import type { Endpoints } from '@svc/contract/endpoints.ts';
import { listProofsElsewhere } from '@svc/contract/tables/proofs.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { openProvedSession } from '@svc/operations/people/auth/finish-sign-in.ts';
import type { Opening } from '@svc/operations/people/auth/open-session.ts';
import { findMembershipToEnter } from '@svc/postgres/people/auth/people.ts';
import type { PeopleDeps } from '../deps.ts';

const ONLY_HERE = 'This session is from the single sign-on of its organization. Sign in to the other organization separately.';

/**
 * Switches the organization. The current session continues. The new session proves nothing again, so it expires with the current one and
 * ends with its sign-in: a stolen token gains nothing by switching that its owner could not end. It has the same proofs, and needs a second
 * factor if the other organization requires one. Claims of one organization's identity provider count for nothing in another.
 */
export const switchOrganization: Handler<Endpoints['switchOrganization'], PeopleDeps> = async (call, { identity }) => {
  const { caller, now, sourceIp, userAgent } = call;
  const isSame = call.body.organization_id === caller.organizationId;
  const proofs = isSame ? caller.amr : listProofsElsewhere(caller);
  if (proofs.length === 0) return call.refuse('PERMISSION_DENIED', ONLY_HERE);
  const entered = { userId: caller.actor.id, organizationId: call.body.organization_id };
  const membership = await findMembershipToEnter(identity, {
    ...entered,
    signInId: caller.signInId,
    byPassword: proofs.includes('PASSWORD'),
  });
  if (!membership) return call.refuse('NOT_FOUND', 'You are not a member of this organization.');
  const { organization_id, organization_name, user_id, email, name, member_epoch } = membership;
  // Taken from the person as the current session knows them: an event that ended this session meanwhile ends the new one too.
  const epoch = (caller.personEpoch ?? membership.person_epoch) + member_epoch;
  const user = { id: user_id, email, name };
  const vouchedAmr = isSame ? caller.vouchedAmr : [];
  const organization = { id: organization_id, name: organization_name };
  const expiresAt = new Date(caller.expiresAt);
  const { signInId, approvedBySignInId } = caller;
  const opening: Opening = { id: call.newId('session'), expiresAt, signInId, approvedBySignInId, now, sourceIp, userAgent };
  return call.change(
    (change) => openProvedSession(change, opening, { user, organization, rights: membership, epoch, vouchedAmr }, proofs),
    undefined,
    {
      scope: { organization_id },
      actor: { type: 'USER', id: user_id, name },
    },
  );
};
