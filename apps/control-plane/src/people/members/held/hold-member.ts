import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { refusal } from '@svc/contract/rows/refusal.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';
import type { TenantScope, TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { lockMember, type MemberAccess } from '@svc/postgres/people/auth/member-access.ts';

type Holding = {
  readonly scope: TenantScope;
  /** What the caller would need besides. */
  readonly lacks: (permissions: readonly Permission[]) => Permission[];
};

const MORE = 'This member may do more than you may: ask somebody who holds all they hold.';
const WIDER = 'This member sees workspaces that you do not: ask somebody who sees all they see.';

/** A member whom the caller may act upon: one who holds nothing, and sees nothing, that the caller does not. */
export const holdMember = async (
  tx: TenantTransaction,
  { scope, lacks }: Holding,
  memberId: string,
): Promise<MemberAccess | Refusal<'NOT_FOUND' | 'PERMISSION_DENIED'>> => {
  const member = await lockMember(tx, scope.organization_id, memberId);
  if (!member) return refusal('NOT_FOUND');
  const missing = lacks(member.permissions as readonly Permission[]);
  if (missing.length > 0) return refusal('PERMISSION_DENIED', MORE, { permissions: missing });
  const seen = scope.workspace_ids;
  const isWithin = !seen || (member.workspace_ids?.every((id) => seen.includes(id)) ?? false);
  return isWithin ? member : refusal('PERMISSION_DENIED', WIDER);
};
