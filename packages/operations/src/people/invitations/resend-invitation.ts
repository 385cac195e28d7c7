import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { beyondGiving } from '@svc/domain/people/members/grant.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findInvitation, renewInvitation, type StoredInvitation } from '@svc/postgres/people/invitations/invitations.ts';
import type { CallContext } from '../auth/acting.ts';
import { dropMails } from '../mail/drop-mails.ts';
import { getMailTransport, type MailService } from '../mail/mail-service.ts';
import type { Posting } from '../mail/post-mail.ts';
import { readGrant } from '../members/change-member.ts';
import { lockCurrentPermissions, refuseExcess } from '../members/lock-permissions.ts';
import { findBoundsRefusal, refuseTooManyMails } from './bounds.ts';
import { mailInvitation } from './mail-invitation.ts';
import { newCode } from './new-code.ts';

type ResendInvitationRequest = CallContext & {
  readonly organizationName: string;
  readonly invitationId: string;
  readonly sourceIp: string;
  readonly newId: Posting['newId'];
};

const { mailsMax, resendAfterSeconds } = LIMITS.invitations;

const UNCONFIRMED = 'This invitation awaits confirmation: a person confirms it with POST /v1/members/invitations/{invitationId}/confirm.';

type Refused = Refusal<
  'NOT_FOUND' | 'PERMISSION_DENIED' | 'GONE' | 'INVALID_STATE_TRANSITION' | 'UNPROCESSABLE' | 'RATE_LIMITED' | 'VALIDATION_FAILED'
>;

/** Returns why it is not sent again, or not yet. */
const againRefusal = ({ now }: ResendInvitationRequest, { status, mails, sent_at }: StoredInvitation) => {
  if (status === 'ACCEPTED' || status === 'WITHDRAWN')
    return buildRefusal('GONE', 'This invitation was accepted or withdrawn. Send a new one.');
  if (mails === 0)
    return status === 'EXPIRED'
      ? buildRefusal('GONE', 'This invitation was not confirmed in time. Invite the person again.')
      : buildRefusal('INVALID_STATE_TRANSITION', UNCONFIRMED, { operation: 'resend', from: status, allowed_from: ['PENDING', 'EXPIRED'] });
  if (mails >= mailsMax)
    return buildRefusal('UNPROCESSABLE', `An invitation can be sent at most ${mailsMax} times. Withdraw it, and check the address.`);
  const waits = Math.ceil(resendAfterSeconds - (now.getTime() - Date.parse(sent_at)) / 1000);
  return waits > 0
    ? buildRefusal('RATE_LIMITED', 'The invitation was just sent. Wait for the mail to arrive.', { retry_after_seconds: waits })
    : undefined;
};

/** Reads an invitation to resend. The sender answers for it from then on, and so must hold what it grants. */
const readAgain = async (tx: TenantTransaction, request: ResendInvitationRequest): Promise<StoredInvitation | Refused> => {
  const { scope, now, actor, invitationId } = request;
  const { organization_id } = scope;
  const by = await lockCurrentPermissions(tx, { scope, actor: actor, now }, ['member:invite']);
  if (isRefusal(by)) return by;
  const found = await findInvitation(tx, organization_id, invitationId, now);
  if (!found) return buildRefusal('NOT_FOUND');
  const refused = againRefusal(request, found) ?? (await findBoundsRefusal(tx, organization_id, found.email, now));
  if (refused) return refused;
  const grant = await readGrant(tx, scope, found.role.id, found.workspace_ids);
  if (isRefusal(grant)) return grant;
  const beyond = beyondGiving(by, grant);
  return beyond ? refuseExcess(beyond) : found;
};

export const resendInvitation = async (
  { tx, emit }: Change<'member.invited'>,
  request: ResendInvitationRequest,
  deps: { readonly mail: MailService },
) => {
  const { now, scope, actor, organizationName } = request;
  const { organization_id } = scope;
  const found = await readAgain(tx, request);
  if (isRefusal(found)) return found;
  const { id, email, role, expires_at } = found;
  const { code, ...good } = newCode(now);
  await renewInvitation(tx, organization_id, { id, invited_by: actor.id, invited_by_type: actor.type, ...good, now });
  const organization = { id: organization_id, name: organizationName };
  const inviter = actor.name ?? actor.id;
  // Its previous code is invalid.
  await dropMails(deps, now, tx, { to: email, template: 'invitation', organizationId: organization_id });
  if (!(await mailInvitation(deps, request, tx, { organization, to: email, inviter, role: role.name, code }))) return refuseTooManyMails();
  emit('member.invited', {
    ...about.invitation({ id }),
    data: {
      email,
      before: { expires_at, invited_by: found.invited_by.id, mails: found.mails },
      after: { expires_at: good.expires_at.toISOString(), invited_by: actor.id, mails: found.mails + 1 },
    },
  });
  const invitation = await findInvitation(tx, organization_id, id, now);
  return invitation ? { ...invitation, mail_transport: getMailTransport(deps.mail) } : buildRefusal('NOT_FOUND');
};
