import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { beyondGiving } from '@svc/domain/people/members/grant.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { dropMails } from '@svc/operations/people/mail/drop-mails.ts';
import { refuseWithoutMail, transportTold } from '@svc/operations/people/mail/mail-desk.ts';
import { readGrant } from '@svc/operations/people/members/change-member.ts';
import { beyondRefusal, takeStanding } from '@svc/operations/people/members/take-standing.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findInvitation, renewInvitation, type StoredInvitation } from '@svc/postgres/people/invitations/invitations.ts';
import type { ControlDeps } from '../../deps.ts';
import { boundsRefusal, tooManyMails } from './sending/bounds.ts';
import { mailInvitation } from './sending/mail-invitation.ts';
import { newCode } from './sending/new-code.ts';

const { mailsMax, resendAfterSeconds } = LIMITS.invitations;

const UNCONFIRMED = 'This invitation awaits confirmation: a person confirms it with POST /v1/members/invitations/{invitationId}/confirm.';

type Resending = Call<Endpoints['resendInvitation']>;

type Refused = Refusal<
  'NOT_FOUND' | 'PERMISSION_DENIED' | 'GONE' | 'INVALID_STATE_TRANSITION' | 'UNPROCESSABLE' | 'RATE_LIMITED' | 'VALIDATION_FAILED'
>;

/** Why it is not sent again, or not yet. */
const againRefusal = ({ refuse, now }: Resending, { status, mails, sent_at }: StoredInvitation) => {
  if (status === 'ACCEPTED' || status === 'WITHDRAWN') return refuse('GONE', 'This invitation was accepted or withdrawn. Send a new one.');
  if (mails === 0)
    return status === 'EXPIRED'
      ? refuse('GONE', 'This invitation was not confirmed in time. Invite the person again.')
      : refuse('INVALID_STATE_TRANSITION', UNCONFIRMED, { operation: 'resend', from: status, allowed_from: ['PENDING', 'EXPIRED'] });
  if (mails >= mailsMax)
    return refuse('UNPROCESSABLE', `An invitation can be sent at most ${mailsMax} times. Withdraw it, and check the address.`);
  const waits = Math.ceil(resendAfterSeconds - (now.getTime() - Date.parse(sent_at)) / 1000);
  return waits > 0 ? refuse('RATE_LIMITED', 'The invitation was just sent. Wait for the mail to arrive.', { retry_after_seconds: waits }) : undefined;
};

/** Who sends it again answers for it from then on, and so has to hold what it grants. */
const readAgain = async (tx: TenantTransaction, call: Resending): Promise<StoredInvitation | Refused> => {
  const { scope, caller, now, params } = call;
  const { organization_id } = scope;
  const by = await takeStanding(tx, { scope, actor: caller.actor, now }, ['member:invite']);
  if (isRefusal(by)) return by;
  const found = await findInvitation(tx, organization_id, params.invitationId, now);
  if (!found) return call.refuse('NOT_FOUND');
  const refused = againRefusal(call, found) ?? (await boundsRefusal(tx, organization_id, found.email, now));
  if (refused) return refused;
  const grant = await readGrant(tx, scope, found.role.id, found.workspace_ids);
  if (isRefusal(grant)) return grant;
  const beyond = beyondGiving(by, grant);
  return beyond ? beyondRefusal(beyond) : found;
};

export const resendInvitation: Handler<Endpoints['resendInvitation'], ControlDeps> = async (call, deps) => {
  const { scope, caller, now } = call;
  const { organization_id } = scope;
  const withoutMail = refuseWithoutMail(deps.mail);
  if (withoutMail) return withoutMail;
  return call.change(async ({ tx, emit }) => {
    const found = await readAgain(tx, call);
    if (isRefusal(found)) return found;
    const { id, email, role, expires_at } = found;
    const { code, ...good } = newCode(now);
    await renewInvitation(tx, organization_id, { id, invited_by: caller.actor.id, invited_by_type: caller.actor.type, ...good, now });
    const organization = { id: organization_id, name: caller.organizationName };
    const inviter = caller.actor.name ?? caller.actor.id;
    // Its code is good no more.
    await dropMails(deps, now, tx, { to: email, template: 'invitation', organizationId: organization_id });
    if (!(await mailInvitation(deps, call, tx, { organization, to: email, inviter, role: role.name, code }))) return tooManyMails();
    emit('member.invited', {
      ...about.invitation({ id }),
      data: {
        email,
        before: { expires_at, invited_by: found.invited_by.id, mails: found.mails },
        after: { expires_at: good.expires_at.toISOString(), invited_by: caller.actor.id, mails: found.mails + 1 },
      },
    });
    const invitation = await findInvitation(tx, organization_id, id, now);
    return invitation ? { ...invitation, mail_transport: transportTold(deps.mail) } : call.refuse('NOT_FOUND');
  });
};
