import type { Member } from '@svc/contract/people/members.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { toWorkspacesView } from '@svc/domain/people/auth/workspaces-view.ts';
import { beyondReach } from '@svc/domain/people/members/grant.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { endMemberSessionsAndTerminals, revokeCreatorKeys, withdrawSenderInvitations } from '@svc/postgres/people/members/derived.ts';
import { deleteMember, hasOtherOwner, isOwnerMember, toMemberView } from '@svc/postgres/people/members/members.ts';
import type { CallContext } from '../auth/acting.ts';
import { findVisibleMember, LAST_OWNER } from './change-member.ts';
import { applyPermissionLoss } from './follow-rights.ts';
import { lockCurrentPermissions, refuseExcess } from './lock-permissions.ts';

type Emitted = 'member.removed' | 'apikey.revoked' | 'approval.cancelled';

export type RemovedMember = {
  readonly member: Member;
  readonly ended: {
    readonly sessions: number;
    readonly api_keys: number;
    readonly invitations: number;
    readonly approvals: number;
    readonly delegations: number;
  };
};

/** Ends a membership and everything derived from it, so that nothing returns if the person joins again. */
export const endMembership = async (
  change: Change<Emitted>,
  { scope, now }: Pick<CallContext, 'scope' | 'now'>,
  member: Member,
): Promise<RemovedMember> => {
  const { tx, emit } = change;
  const { organization_id } = scope;
  const { keys, ...ended } = await inWholeOrganization(tx, scope, async () => ({
    sessions: await endMemberSessionsAndTerminals(tx, organization_id, member.user.id, now),
    invitations: await withdrawSenderInvitations(tx, organization_id, member.user.id, now),
    keys: await revokeCreatorKeys(tx, organization_id, member.user.id, now),
  }));
  await deleteMember(tx, organization_id, member.id);
  const before = { user_id: member.user.id, role_id: member.role.id, workspace_ids: member.workspace_ids };
  emit('member.removed', { ...about.member(member), data: { before, after: null, ended: { ...ended, keys: keys.length } } });
  for (const key of keys.slice(0, LIMITS.members.derivedMax)) {
    const place = about.api_key({ id: key.id, workspace_id: toWorkspacesView(key.workspace_ids).workspace_id });
    emit('apikey.revoked', {
      ...place,
      data: { before: { revoked_at: null }, after: { revoked_at: now.toISOString() }, because: member.id },
    });
  }
  const followed = await applyPermissionLoss(change, { scope, userIds: [member.user.id], now });
  return { member, ended: { ...ended, api_keys: keys.length, ...followed } };
};

/** Removes a member, if the caller holds what they have. */
export const removeMember = async (
  change: Change<Emitted>,
  acting: CallContext,
  memberId: string,
): Promise<RemovedMember | Refusal<'NOT_FOUND' | 'PERMISSION_DENIED' | 'CONFLICT'>> => {
  const { tx } = change;
  const by = await lockCurrentPermissions(tx, acting, ['member:remove']);
  if (isRefusal(by)) return by;
  const member = await findVisibleMember(tx, acting.scope, memberId);
  if (!member) return buildRefusal('NOT_FOUND');
  const beyond = beyondReach(by, { role: member.stored_role, workspace_ids: member.workspace_ids });
  if (beyond) return refuseExcess(beyond);
  if (isOwnerMember(member) && !(await hasOtherOwner(tx, acting.scope.organization_id, member.id)))
    return buildRefusal('CONFLICT', LAST_OWNER);
  return endMembership(change, acting, toMemberView(member));
};
