import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { beyondGiving } from '@svc/domain/people/members/grant.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { dropMails } from '@svc/operations/people/mail/drop-mails.ts';
import { refuseWithoutMail, transportTold } from '@svc/operations/people/mail/mail-desk.ts';
import { mailAwaitingInvitation } from '@svc/operations/people/mail/mail-owners.ts';
import { readGrant } from '@svc/operations/people/members/change-member.ts';
import { beyondRefusal, takeStanding } from '@svc/operations/people/members/take-standing.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { closeExpired, findInvitation, insertInvitation } from '@svc/postgres/people/invitations/invitations.ts';
import { isMemberByEmail } from '@svc/postgres/people/members/members.ts';
import type { ControlDeps } from '../../deps.ts';
import { boundsRefusal, tooManyMails } from '@svc/operations/people/invitations/bounds.ts';
import { mailInvitation } from '@svc/operations/people/invitations/mail-invitation.ts';
import { newCode } from '@svc/operations/people/invitations/new-code.ts';

type Inviting = Call<Endpoints['inviteMember']>;

/** The grant, if the caller may invite someone with it, and true if a person has to confirm it. */
const readAsked = async (tx: TenantTransaction, call: Inviting, email: string) => {
  const { body, scope, caller, now } = call;
  const { organization_id } = scope;
  const by = await takeStanding(tx, { scope, actor: caller.actor, now }, ['member:invite']);
  if (isRefusal(by)) return by;
  const grant = await readGrant(tx, scope, body.role_id, body.workspace_ids?.toSorted() ?? null);
  if (isRefusal(grant)) return grant;
  const beyond = beyondGiving(by, grant);
  const awaits_confirmation = beyond?.because === 'AUTOMATION';
  if (beyond && !awaits_confirmation) return beyondRefusal(beyond);
  if (await isMemberByEmail(tx, organization_id, email))
    return call.refuse('ALREADY_EXISTS', 'This address already belongs to a member. Change their role with PATCH /v1/members/{memberId}.');
  return (await boundsRefusal(tx, organization_id, email, now)) ?? { ...grant, awaits_confirmation };
};

/** Whether the address has an account elsewhere is told to nobody: either way the same mail goes there, and the same is answered. */
export const inviteMember: Handler<Endpoints['inviteMember'], ControlDeps> = async (call, deps) => {
  const { scope, caller, now } = call;
  const { organization_id } = scope;
  const withoutMail = refuseWithoutMail(deps.mail);
  if (withoutMail) return withoutMail;
  const email = call.body.email.toLowerCase();
  const id = call.newId('invitation');
  const organization = { id: organization_id, name: caller.organizationName };
  const sent = <Mail>(mail: Mail) => ({ ...mail, organization, inviter: caller.actor.name ?? caller.actor.id });
  return call.change(
    async ({ tx, emit }) => {
      const asked = await readAsked(tx, call, email);
      if (isRefusal(asked)) return asked;
      await closeExpired(tx, organization_id, email, now);
      await dropMails(deps, now, tx, { to: email, template: 'invitation', organizationId: organization_id });
      const { code, ...good } = newCode(now);
      const { role, workspace_ids, awaits_confirmation } = asked;
      const by = { invited_by: caller.actor.id, invited_by_type: caller.actor.type };
      const places = workspace_ids && [...workspace_ids];
      const row = { id, email, role_id: role.id, workspace_ids: places, awaits_confirmation, ...by, ...good, now };
      await insertInvitation(tx, organization_id, row);
      if (awaits_confirmation) await mailAwaitingInvitation(deps, call, tx, { email, role: role.name });
      else if (!(await mailInvitation(deps, call, tx, sent({ to: email, role: role.name, code })))) return tooManyMails();
      const status = awaits_confirmation ? 'AWAITING_CONFIRMATION' : 'PENDING';
      const after = { email, status, role_id: role.id, role_name: role.name, workspace_ids, expires_at: good.expires_at.toISOString() };
      emit('member.invited', { ...about.invitation({ id }), data: { before: null, after } });
      const invitation = await findInvitation(tx, organization_id, id, now);
      return invitation ? { ...invitation, mail_transport: transportTold(deps.mail) } : call.refuse('NOT_FOUND');
    },
    {
      invitations_are_once_per_address: () =>
        call.refuse(
          'ALREADY_EXISTS',
          'This address is invited already: send that invitation again (GET /v1/members/invitations, POST …/resend), or withdraw it first.',
        ),
    },
  );
};
