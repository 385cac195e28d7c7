import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { beyondGiving } from '@svc/domain/people/members/grant.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findInvitation, renewInvitation } from '@svc/postgres/people/invitations/invitations.ts';
import type { CallContext } from '../auth/acting.ts';
import { getMailTransport, type MailService } from '../mail/mail-service.ts';
import type { Posting } from '../mail/post-mail.ts';
import { readGrant } from '../members/change-member.ts';
import { lockCurrentPermissions, refuseExcess } from '../members/lock-permissions.ts';
import { refuseTooManyMails } from './bounds.ts';
import { mailInvitation } from './mail-invitation.ts';
import { newCode } from './new-code.ts';

type ConfirmInvitationRequest = CallContext & {
  readonly organizationName: string;
  readonly invitationId: string;
  readonly sourceIp: string;
  readonly newId: Posting['newId'];
};

const OVER = 'This invitation was accepted, withdrawn or has expired. Invite the person again.';

const CONFIRMED = 'This invitation does not need confirmation. Its mail was sent.';

/** Reads the invitation if it awaits confirmation and the caller may grant its role. */
const readAwaiting = async (tx: TenantTransaction, request: ConfirmInvitationRequest) => {
  const { scope, now, actor, invitationId } = request;
  const by = await lockCurrentPermissions(tx, { scope, actor: actor, now }, ['member:invite']);
  if (isRefusal(by)) return by;
  const found = await findInvitation(tx, scope.organization_id, invitationId, now);
  if (!found) return buildRefusal('NOT_FOUND');
  if (found.status === 'PENDING')
    return buildRefusal('INVALID_STATE_TRANSITION', CONFIRMED, {
      operation: 'confirm',
      from: found.status,
      allowed_from: ['AWAITING_CONFIRMATION'],
    });
  if (found.status !== 'AWAITING_CONFIRMATION') return buildRefusal('GONE', OVER);
  const grant = await readGrant(tx, scope, found.role.id, found.workspace_ids);
  if (isRefusal(grant)) return grant;
  const beyond = beyondGiving(by, grant);
  return beyond ? refuseExcess(beyond) : found;
};

/** Sends an invitation that an API key requested. From then on it is the invitation of the person who confirms it. */
export const confirmInvitation = async (
  { tx, emit }: Change<'member.invitation_confirmed'>,
  request: ConfirmInvitationRequest,
  deps: { readonly mail: MailService },
) => {
  const { now, scope, actor, organizationName } = request;
  const { organization_id } = scope;
  const found = await readAwaiting(tx, request);
  if (isRefusal(found)) return found;
  const { id, email, role, workspace_ids } = found;
  const { code, ...good } = newCode(now);
  const invited_by = actor.id;
  await renewInvitation(tx, organization_id, { id, invited_by, invited_by_type: actor.type, ...good, now });
  const organization = { id: organization_id, name: organizationName };
  const inviter = actor.name ?? actor.id;
  if (!(await mailInvitation(deps, request, tx, { organization, to: email, inviter, role: role.name, code }))) return refuseTooManyMails();
  emit('member.invitation_confirmed', {
    ...about.invitation({ id }),
    data: {
      ...{ email, role_id: role.id, role_name: role.name, workspace_ids },
      before: { status: found.status, invited_by: found.invited_by.id, mails: found.mails },
      after: { status: 'PENDING', invited_by, mails: found.mails + 1, expires_at: good.expires_at.toISOString() },
    },
  });
  const invitation = await findInvitation(tx, organization_id, id, now);
  return invitation ? { ...invitation, mail_transport: getMailTransport(deps.mail) } : buildRefusal('NOT_FOUND');
};
