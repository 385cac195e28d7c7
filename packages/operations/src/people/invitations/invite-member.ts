import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { beyondGiving } from '@svc/domain/people/members/grant.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { closeExpired, findInvitation, insertInvitation } from '@svc/postgres/people/invitations/invitations.ts';
import { isMemberByEmail } from '@svc/postgres/people/members/members.ts';
import type { CallContext } from '../auth/acting.ts';
import { dropMails } from '../mail/drop-mails.ts';
import { mailAwaitingInvitation } from '../mail/mail-owners.ts';
import { getMailTransport, type MailService } from '../mail/mail-service.ts';
import type { Posting } from '../mail/post-mail.ts';
import { readGrant } from '../members/change-member.ts';
import { lockCurrentPermissions, refuseExcess } from '../members/lock-permissions.ts';
import { findBoundsRefusal, refuseTooManyMails } from './bounds.ts';
import { mailInvitation } from './mail-invitation.ts';
import { newCode } from './new-code.ts';

type InviteMemberRequest = CallContext & {
  readonly body: EndpointBody<Endpoints['inviteMember']>;
  readonly sourceIp: string;
  readonly newId: Posting['newId'];
  readonly organizationName: string;
};

/** Returns the grant if the caller may invite with it, and true if a person must confirm it. */
const readAsked = async (tx: TenantTransaction, request: InviteMemberRequest, email: string) => {
  const { body, scope, now, actor } = request;
  const { organization_id } = scope;
  const by = await lockCurrentPermissions(tx, { scope, actor: actor, now }, ['member:invite']);
  if (isRefusal(by)) return by;
  const grant = await readGrant(tx, scope, body.role_id, body.workspace_ids?.toSorted() ?? null);
  if (isRefusal(grant)) return grant;
  const beyond = beyondGiving(by, grant);
  const awaits_confirmation = beyond?.because === 'AUTOMATION';
  if (beyond && !awaits_confirmation) return refuseExcess(beyond);
  if (await isMemberByEmail(tx, organization_id, email))
    return buildRefusal('ALREADY_EXISTS', 'This address already belongs to a member. Change their role with PATCH /v1/members/{memberId}.');
  return (await findBoundsRefusal(tx, organization_id, email, now)) ?? { ...grant, awaits_confirmation };
};

/** Invites a person. The mail and the response do not disclose if the address has an account elsewhere. */
export const inviteMember = async (
  { tx, emit }: Change<'member.invited'>,
  request: InviteMemberRequest,
  email: string,
  deps: { readonly mail: MailService },
  id: string,
) => {
  const { scope, now, actor } = request;
  const { organization_id } = scope;
  const organization = { id: organization_id, name: request.organizationName };
  const asked = await readAsked(tx, request, email);
  if (isRefusal(asked)) return asked;
  await closeExpired(tx, organization_id, email, now);
  await dropMails(deps, now, tx, { to: email, template: 'invitation', organizationId: organization_id });
  const { code, ...good } = newCode(now);
  const { role, workspace_ids, awaits_confirmation } = asked;
  const by = { invited_by: actor.id, invited_by_type: actor.type };
  const places = workspace_ids && [...workspace_ids];
  const row = { id, email, role_id: role.id, workspace_ids: places, awaits_confirmation, ...by, ...good, now };
  await insertInvitation(tx, organization_id, row);
  if (awaits_confirmation) await mailAwaitingInvitation(deps, request, tx, { email, role: role.name });
  else if (!(await mailInvitation(deps, request, tx, { organization, to: email, inviter: actor.name ?? actor.id, role: role.name, code })))
    return refuseTooManyMails();
  const status = awaits_confirmation ? 'AWAITING_CONFIRMATION' : 'PENDING';
  const after = { email, status, role_id: role.id, role_name: role.name, workspace_ids, expires_at: good.expires_at.toISOString() };
  emit('member.invited', { ...about.invitation({ id }), data: { before: null, after } });
  const invitation = await findInvitation(tx, organization_id, id, now);
  return invitation ? { ...invitation, mail_transport: getMailTransport(deps.mail) } : buildRefusal('NOT_FOUND');
};
