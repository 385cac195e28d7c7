import type { Member } from '@svc/contract/people/members.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { beyondGiving, beyondReach, type MemberGrant } from '@svc/domain/people/members/grant.ts';
import { isOwner } from '@svc/domain/people/roles/role.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantScope, TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import {
  countWorkspaces,
  findMember,
  findWholeMember,
  hasOtherOwner,
  type StoredMember,
  setMember,
  toMemberView,
} from '@svc/postgres/people/members/members.ts';
import { findRole } from '@svc/postgres/people/roles.ts';
import type { CallContext } from '../auth/acting.ts';
import { applyPermissionLoss } from './follow-rights.ts';
import { lockCurrentPermissions, refuseExcess } from './lock-permissions.ts';

/** The new role and workspaces of a member; omitted members stay. */
export type MemberUpdate = { readonly role_id?: string | undefined; readonly workspace_ids?: readonly string[] | null | undefined };

type Refused = Refusal<'NOT_FOUND' | 'PERMISSION_DENIED' | 'CONFLICT' | 'VALIDATION_FAILED'>;

export const LAST_OWNER = 'An organization must have an owner. Make another member an owner first, or transfer the ownership.';
const OWNERS_SEE_ALL = 'An owner has access to the whole organization: send null.';

/** Returns the member, if the scope sees them. */
export const findVisibleMember = async (tx: TenantTransaction, scope: TenantScope, id: string): Promise<StoredMember | undefined> =>
  (await findMember(tx, scope, id)) && findWholeMember(tx, scope.organization_id, id);

const getGrant = ({ stored_role, workspace_ids }: StoredMember): MemberGrant => ({ role: stored_role, workspace_ids });

/** Returns a role and workspaces that exist and are compatible. */
export const readGrant = async (
  tx: TenantTransaction,
  scope: TenantScope,
  roleId: string,
  workspaceIds: readonly string[] | null,
): Promise<MemberGrant | Refusal<'NOT_FOUND' | 'VALIDATION_FAILED'>> => {
  const role = await findRole(tx, scope.organization_id, roleId);
  if (!role) return buildRefusal('NOT_FOUND', 'The role does not exist.');
  if (isOwner(role) && workspaceIds !== null)
    return buildRefusal('VALIDATION_FAILED', OWNERS_SEE_ALL, { faults: [{ pointer: '/workspace_ids', message: OWNERS_SEE_ALL }] });
  if (workspaceIds !== null && (await countWorkspaces(tx, scope.organization_id, workspaceIds)) < workspaceIds.length)
    return buildRefusal('NOT_FOUND', 'The workspace does not exist.');
  return { role, workspace_ids: workspaceIds };
};

const told = ({ role, workspace_ids }: MemberGrant) => ({ role_id: role.id, role_name: role.name, workspace_ids });

/** Gives a member another role or other workspaces, if the caller holds the previous and the new ones. */
export const changeMember = async (
  change: Change<'member.role_changed' | 'approval.cancelled'>,
  acting: CallContext,
  memberId: string,
  wanted: MemberUpdate,
): Promise<Member | Refused> => {
  const { tx, emit } = change;
  const { scope, now } = acting;
  const by = await lockCurrentPermissions(tx, acting, ['member:update']);
  if (isRefusal(by)) return by;
  const member = await findVisibleMember(tx, scope, memberId);
  if (!member) return buildRefusal('NOT_FOUND');
  const before = getGrant(member);
  const places = wanted.workspace_ids === undefined ? before.workspace_ids : (wanted.workspace_ids?.toSorted() ?? null);
  const beyond = beyondReach(by, before);
  if (beyond) return refuseExcess(beyond);
  const after = await readGrant(tx, scope, wanted.role_id ?? member.role.id, places);
  if (isRefusal(after)) return after;
  if (JSON.stringify(told(before)) === JSON.stringify(told(after))) return toMemberView(member);
  const beyondNow = beyondGiving(by, after);
  if (beyondNow) return refuseExcess(beyondNow);
  if (isOwner(before.role) && !isOwner(after.role) && !(await hasOtherOwner(tx, scope.organization_id, member.id)))
    return buildRefusal('CONFLICT', LAST_OWNER);
  await setMember(tx, scope.organization_id, { id: member.id, role_id: after.role.id, workspace_ids: after.workspace_ids });
  emit('member.role_changed', { ...about.member(member), data: { user_id: member.user.id, before: told(before), after: told(after) } });
  await applyPermissionLoss(change, { scope, userIds: [member.user.id], now });
  return {
    ...toMemberView(member),
    role: { id: after.role.id, name: after.role.name },
    workspace_ids: after.workspace_ids as string[] | null,
  };
};
