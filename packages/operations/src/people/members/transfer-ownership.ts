import type { Member } from '@svc/contract/people/members.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { isOwner } from '@svc/domain/people/roles/role.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findMemberByUser, isOwnerMember, type StoredMember, setMember, toMemberView } from '@svc/postgres/people/members/members.ts';
import { findRole } from '@svc/postgres/people/roles.ts';
import type { CallContext } from '../auth/acting.ts';
import { findVisibleMember } from './change-member.ts';
import { applyPermissionLoss } from './follow-rights.ts';
import { lockCurrentPermissions } from './lock-permissions.ts';

type Emitted = 'member.role_changed' | 'approval.cancelled';
type Refused = Refusal<'NOT_FOUND' | 'PERMISSION_DENIED' | 'CONFLICT' | 'VALIDATION_FAILED'>;

const OWNER = getBuiltInRole('owner');
const ANOTHER_ROLE = 'After the transfer you are no longer an owner. Choose another role for yourself.';

const assignRole = async (
  { tx, emit }: Change<Emitted>,
  { scope }: CallContext,
  member: StoredMember,
  role: { readonly id: string; readonly name: string },
): Promise<Member> => {
  await setMember(tx, scope.organization_id, { id: member.id, role_id: role.id, workspace_ids: null });
  const formatRole = (held: { readonly id: string; readonly name: string }, workspace_ids: readonly string[] | null) => ({
    role_id: held.id,
    role_name: held.name,
    workspace_ids,
  });
  const states = { before: formatRole(member.role, member.workspace_ids), after: formatRole(role, null) };
  emit('member.role_changed', { ...about.member(member), data: { user_id: member.user.id, ...states, transfer: true } });
  return { ...toMemberView(member), role: { id: role.id, name: role.name }, workspace_ids: null };
};

/** Transfers ownership from the calling owner to another member in one transaction, so that there is always an owner. */
export const transferOwnership = async (
  change: Change<Emitted>,
  acting: CallContext,
  memberId: string,
  roleId: string,
): Promise<{ readonly owner: Member; readonly former_owner: Member } | Refused> => {
  const { tx } = change;
  const { scope, actor, now } = acting;
  const by = await lockCurrentPermissions(tx, acting, ['member:update', 'organization:delete']);
  if (isRefusal(by)) return by;
  const [next, own] = [await findVisibleMember(tx, scope, memberId), await findMemberByUser(tx, scope.organization_id, actor.id)];
  if (!next || !own) return buildRefusal('NOT_FOUND');
  if (!by.is_owner || by.workspace_ids !== null) return buildRefusal('PERMISSION_DENIED', 'Only an owner can transfer ownership.');
  if (isOwnerMember(next)) return buildRefusal('CONFLICT', 'This member is already an owner.');
  const role = await findRole(tx, scope.organization_id, roleId);
  if (!role) return buildRefusal('NOT_FOUND', 'The role does not exist.');
  if (isOwner(role)) return buildRefusal('VALIDATION_FAILED', ANOTHER_ROLE, { faults: [{ pointer: '/role_id', message: ANOTHER_ROLE }] });
  const owner = await assignRole(change, acting, next, OWNER);
  const former_owner = await assignRole(change, acting, own, role);
  await applyPermissionLoss(change, { scope, userIds: [own.user.id, next.user.id], now });
  return { owner, former_owner };
};
