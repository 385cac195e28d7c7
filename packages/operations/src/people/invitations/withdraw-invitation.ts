import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { beyondReach } from '@svc/domain/people/members/grant.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findInvitation, type StoredInvitation, withdrawInvitation as withdraw } from '@svc/postgres/people/invitations/invitations.ts';
import { findRole } from '@svc/postgres/people/roles.ts';
import type { CallContext } from '../auth/acting.ts';
import { dropMails } from '../mail/drop-mails.ts';
import type { MailService } from '../mail/mail-service.ts';
import { lockCurrentPermissions, refuseExcess } from '../members/lock-permissions.ts';

type WithdrawInvitationRequest = CallContext & { readonly invitationId: string };

/**
 * Refuses to withdraw an invitation beyond the caller: like removing a member it requires holding all of it, or being its sender. One whose
 * role is gone grants nothing, and anyone may withdraw it.
 */
const beyond = async (
  tx: TenantTransaction,
  { scope, now, actor }: WithdrawInvitationRequest,
  { role, workspace_ids, invited_by }: StoredInvitation,
): Promise<Refusal<'PERMISSION_DENIED'> | undefined> => {
  const by = await lockCurrentPermissions(tx, { scope, actor: actor, now }, ['member:invite']);
  if (isRefusal(by)) return by;
  const stored = await findRole(tx, scope.organization_id, role.id);
  const far = stored && invited_by.id !== actor.id ? beyondReach(by, { role: stored, workspace_ids }) : undefined;
  return far && refuseExcess(far);
};

export const withdrawInvitation = async (
  { tx, emit }: Change<'member.removed'>,
  request: WithdrawInvitationRequest,
  deps: { readonly mail: MailService },
) => {
  const { scope, now, invitationId } = request;
  const { organization_id } = scope;
  const before = await findInvitation(tx, organization_id, invitationId, now);
  if (!before) return buildRefusal('NOT_FOUND');
  const refused = await beyond(tx, request, before);
  if (refused) return refused;
  if (!(await withdraw(tx, organization_id, before.id, now)))
    return buildRefusal('GONE', 'This invitation was already accepted or withdrawn.');
  const { email, role, workspace_ids, status } = before;
  await dropMails(deps, now, tx, { to: email, template: 'invitation', organizationId: organization_id });
  emit('member.removed', {
    ...about.invitation(before),
    data: { before: { email, role_id: role.id, workspace_ids, status }, after: { status: 'WITHDRAWN' } },
  });
  return { ...before, status: 'WITHDRAWN' as const };
};
