import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { beyondReach } from '@svc/domain/people/members/grant.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { lockMember, type MemberAccess } from '@svc/postgres/people/auth/member-access.ts';
import type { CallContext } from '../auth/acting.ts';
import { findVisibleMember } from './change-member.ts';
import { lockCurrentPermissions, refuseExcess } from './lock-permissions.ts';

/** Locks a member whom the caller may act upon: one who holds and sees nothing that the caller does not; an owner only for owners. */
export const holdMember = async (
  tx: TenantTransaction,
  acting: CallContext,
  memberId: string,
): Promise<MemberAccess | Refusal<'NOT_FOUND' | 'PERMISSION_DENIED'>> => {
  const { scope } = acting;
  const by = await lockCurrentPermissions(tx, acting, []);
  if (isRefusal(by)) return by;
  const member = await findVisibleMember(tx, scope, memberId);
  if (!member) return buildRefusal('NOT_FOUND');
  const beyond = beyondReach(by, { role: member.stored_role, workspace_ids: member.workspace_ids });
  if (beyond) return refuseExcess(beyond);
  return (await lockMember(tx, scope.organization_id, memberId)) ?? buildRefusal('NOT_FOUND');
};
