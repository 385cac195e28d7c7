import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { beyondGiving } from '@svc/domain/people/members/grant.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { refuseWithoutMail, transportTold } from '@svc/operations/people/mail/mail-desk.ts';
import { readGrant } from '@svc/operations/people/members/change-member.ts';
import { beyondRefusal, takeStanding } from '@svc/operations/people/members/take-standing.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findInvitation, renewInvitation } from '@svc/postgres/people/invitations/invitations.ts';
import type { ControlDeps } from '../../deps.ts';
import { tooManyMails } from './sending/bounds.ts';
import { mailInvitation } from './sending/mail-invitation.ts';
import { newCode } from './sending/new-code.ts';

type Confirming = Call<Endpoints['confirmInvitation']>;

const OVER = 'This invitation was accepted, withdrawn or has expired. Invite the person again.';
const CONFIRMED = 'This invitation does not need confirmation. Its mail was sent.';

/** The invitation, if it awaits confirmation and the caller may give its role. */
const readAwaiting = async (tx: TenantTransaction, call: Confirming) => {
  const { scope, caller, now, params } = call;
  const by = await takeStanding(tx, { scope, actor: caller.actor, now }, ['member:invite']);
  if (isRefusal(by)) return by;
  const found = await findInvitation(tx, scope.organization_id, params.invitationId, now);
  if (!found) return call.refuse('NOT_FOUND');
  if (found.status === 'PENDING')
    return call.refuse('INVALID_STATE_TRANSITION', CONFIRMED, {
      operation: 'confirm',
      from: found.status,
      allowed_from: ['AWAITING_CONFIRMATION'],
    });
  if (found.status !== 'AWAITING_CONFIRMATION') return call.refuse('GONE', OVER);
  const grant = await readGrant(tx, scope, found.role.id, found.workspace_ids);
  if (isRefusal(grant)) return grant;
  const beyond = beyondGiving(by, grant);
  return beyond ? beyondRefusal(beyond) : found;
};

/** Sends an invitation that an API key asked for. From then on it is the invitation of the person who confirms it. */
export const confirmInvitation: Handler<Endpoints['confirmInvitation'], ControlDeps> = async (call, deps) => {
  const { scope, caller, now } = call;
  const { organization_id } = scope;
  const withoutMail = refuseWithoutMail(deps.mail);
  if (withoutMail) return withoutMail;
  return call.change(async ({ tx, emit }) => {
    const found = await readAwaiting(tx, call);
    if (isRefusal(found)) return found;
    const { id, email, role, workspace_ids } = found;
    const { code, ...good } = newCode(now);
    const invited_by = caller.actor.id;
    await renewInvitation(tx, organization_id, { id, invited_by, invited_by_type: caller.actor.type, ...good, now });
    const organization = { id: organization_id, name: caller.organizationName };
    const inviter = caller.actor.name ?? caller.actor.id;
    if (!(await mailInvitation(deps, call, tx, { organization, to: email, inviter, role: role.name, code }))) return tooManyMails();
    emit('member.invitation_confirmed', {
      ...about.invitation({ id }),
      data: {
        ...{ email, role_id: role.id, role_name: role.name, workspace_ids },
        before: { status: found.status, invited_by: found.invited_by.id, mails: found.mails },
        after: { status: 'PENDING', invited_by, mails: found.mails + 1, expires_at: good.expires_at.toISOString() },
      },
    });
    const invitation = await findInvitation(tx, organization_id, id, now);
    return invitation ? { ...invitation, mail_transport: transportTold(deps.mail) } : call.refuse('NOT_FOUND');
  });
};
