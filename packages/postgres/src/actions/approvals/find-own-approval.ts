import type { ApprovalForAgent } from '@svc/contract/actions/approvals.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** What an agent may know of an approval it waits for. One that ran out says so, also before the clock's job has closed it. */
export const findOwnApproval = async (
  tx: TenantTransaction,
  organizationId: string,
  agentId: string,
  approvalId: string,
  now: Date,
): Promise<Omit<ApprovalForAgent, 'poll_after_seconds'> | undefined> => {
  const row = await tx
    .selectFrom('approvals')
    .select(['id', 'action_id', 'status', 'reason', 'denial_reason', 'expires_at'])
    .where('organization_id', '=', organizationId)
    .where('agent_id', '=', agentId)
    .where('id', '=', approvalId)
    .executeTakeFirst();
  if (!row) return undefined;
  const isOpen = row.status === 'PENDING' || row.status === 'APPROVED';
  return isOpen && Date.parse(row.expires_at) <= now.getTime() ? { ...row, status: 'EXPIRED' } : row;
};
