import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** The status of the approval of a held message; one that ended before it was decided is EXPIRED. */
export const findApprovalStatus = async (tx: TenantTransaction, organizationId: string, id: string, now: Date): Promise<string> => {
  const row = await tx
    .selectFrom('approvals')
    .select(['status', 'expires_at'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return 'EXPIRED';
  return row.status === 'PENDING' && Date.parse(row.expires_at) <= now.getTime() ? 'EXPIRED' : row.status;
};
