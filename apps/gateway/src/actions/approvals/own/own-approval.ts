import type { ApprovalForAgent } from '@svc/contract/actions/approval-shapes.ts';
import { findOwnApproval } from '@svc/postgres/actions/approvals/find-own-approval.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';

const POLL_AFTER_SECONDS = 2;

type Asked = {
  readonly agent: { readonly organizationId: string; readonly agentId: string };
  readonly params: { readonly approvalId: string };
  readonly now: Date;
};

/** Returns an approval in the form for its agent. */
export const ownApproval = async (tx: TenantTransaction, { agent, params, now }: Asked): Promise<ApprovalForAgent | undefined> => {
  const approval = await findOwnApproval(tx, agent.organizationId, agent.agentId, params.approvalId, now);
  return approval && { ...approval, poll_after_seconds: POLL_AFTER_SECONDS };
};
