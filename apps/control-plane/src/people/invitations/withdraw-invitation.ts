import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { beyondReach } from '@svc/domain/people/members/grant.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { dropMails } from '@svc/operations/people/mail/drop-mails.ts';
import { beyondRefusal, takeStanding } from '@svc/operations/people/members/take-standing.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findInvitation, type StoredInvitation, withdrawInvitation as withdraw } from '@svc/postgres/people/invitations/invitations.ts';
import { findRole } from '@svc/postgres/people/roles.ts';
import type { ControlDeps } from '../../deps.ts';

type Withdrawing = Pick<Call<Endpoints['withdrawInvitation']>, 'scope' | 'caller' | 'now'>;

/**
 * What somebody was promised is taken away as what a member has: by whoever holds all of it, and besides by whoever sent the invitation. One
 * whose role is gone grants nothing, and is anybody's to withdraw.
 */
const beyond = async (
  tx: TenantTransaction,
  { scope, caller, now }: Withdrawing,
  { role, workspace_ids, invited_by }: StoredInvitation,
): Promise<Refusal<'PERMISSION_DENIED'> | undefined> => {
  const by = await takeStanding(tx, { scope, actor: caller.actor, now }, ['member:invite']);
  if (isRefusal(by)) return by;
  const stored = await findRole(tx, scope.organization_id, role.id);
  const far = stored && invited_by.id !== caller.actor.id ? beyondReach(by, { role: stored, workspace_ids }) : undefined;
  return far && beyondRefusal(far);
};

export const withdrawInvitation: Handler<Endpoints['withdrawInvitation'], ControlDeps> = (call, deps) => {
  const { change, scope, params, now, refuse } = call;
  return change(async ({ tx, emit }) => {
    const { organization_id } = scope;
    const before = await findInvitation(tx, organization_id, params.invitationId, now);
    if (!before) return refuse('NOT_FOUND');
    const refused = await beyond(tx, call, before);
    if (refused) return refused;
    if (!(await withdraw(tx, organization_id, before.id, now))) return refuse('GONE', 'This invitation was already accepted or withdrawn.');
    const { email, role, workspace_ids, status } = before;
    await dropMails(deps, now, tx, { to: email, template: 'invitation', organizationId: organization_id });
    emit('member.removed', {
      ...about.invitation(before),
      data: { before: { email, role_id: role.id, workspace_ids, status }, after: { status: 'WITHDRAWN' } },
    });
    return { ...before, status: 'WITHDRAWN' as const };
  });
};
