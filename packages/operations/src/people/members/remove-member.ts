import type { Member } from '@svc/contract/people/members.ts';
import { isRefusal, type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { toldWorkspaces } from '@svc/domain/people/auth/told-workspaces.ts';
import { beyondReach } from '@svc/domain/people/members/grant.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { endInvitationsOf, endKeysOf, endSessionsOf } from '@svc/postgres/people/members/derived.ts';
import { deleteMember, hasOtherOwner, isOwnerMember, toldMember } from '@svc/postgres/people/members/members.ts';
import type { Acting } from '../auth/acting.ts';
import { findSeen, LAST_OWNER } from './change-member.ts';
import { followRights } from './follow-rights.ts';
import { beyondRefusal, takeStanding } from './take-standing.ts';

type Emitted = 'member.removed' | 'apikey.revoked' | 'approval.cancelled';

export type Removed = {
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
  { scope, now }: Pick<Acting, 'scope' | 'now'>,
  member: Member,
): Promise<Removed> => {
  const { tx, emit } = change;
  const { organization_id } = scope;
  const { keys, ...ended } = await inWholeOrganization(tx, scope, async () => ({
    sessions: await endSessionsOf(tx, organization_id, member.user.id, now),
    invitations: await endInvitationsOf(tx, organization_id, member.user.id, now),
    keys: await endKeysOf(tx, organization_id, member.user.id, now),
  }));
  await deleteMember(tx, organization_id, member.id);
  const before = { user_id: member.user.id, role_id: member.role.id, workspace_ids: member.workspace_ids };
  emit('member.removed', { ...about.member(member), data: { before, after: null, ended: { ...ended, keys: keys.length } } });
  for (const key of keys.slice(0, LIMITS.members.derivedMax)) {
    const place = about.api_key({ id: key.id, workspace_id: toldWorkspaces(key.workspace_ids).workspace_id });
    emit('apikey.revoked', {
      ...place,
      data: { before: { revoked_at: null }, after: { revoked_at: now.toISOString() }, because: member.id },
    });
  }
  const followed = await followRights(change, { scope, userIds: [member.user.id], now });
  return { member, ended: { ...ended, api_keys: keys.length, ...followed } };
};

/** Removes a member, if the caller holds what they have. */
export const removeMember = async (
  change: Change<Emitted>,
  acting: Acting,
  memberId: string,
): Promise<Removed | Refusal<'NOT_FOUND' | 'PERMISSION_DENIED' | 'CONFLICT'>> => {
  const { tx } = change;
  const by = await takeStanding(tx, acting, ['member:remove']);
  if (isRefusal(by)) return by;
  const member = await findSeen(tx, acting.scope, memberId);
  if (!member) return refusal('NOT_FOUND');
  const beyond = beyondReach(by, { role: member.stored_role, workspace_ids: member.workspace_ids });
  if (beyond) return beyondRefusal(beyond);
  if (isOwnerMember(member) && !(await hasOtherOwner(tx, acting.scope.organization_id, member.id))) return refusal('CONFLICT', LAST_OWNER);
  return endMembership(change, acting, toldMember(member));
};
