import type { ApproverGroup } from '@svc/contract/actions/approval-shapes.ts';
import type { ActionStatus, AgentStatus, ApprovalStatus, Separation } from '@svc/contract/tables/vocabulary.ts';
import { getAgentStanding } from '../../agents/agents/standing-status.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** An approval for a vote; locked until the transaction ends, so that each concurrent vote sees the ones before it. */
export type LockedApproval = {
  readonly id: string;
  readonly action_id: string;
  readonly agent_id: string;
  /** Computed by the clock, independent of the stored value; null if unknown. */
  readonly agent_status: AgentStatus | null;
  readonly workspace_id: string;
  readonly environment_id: string;
  readonly status: ApprovalStatus;
  readonly approver_roles: readonly string[];
  readonly role_quorums: readonly number[] | null;
  readonly approver_groups: readonly ApproverGroup[] | null;
  readonly quorum: number;
  readonly step_up: boolean;
  readonly expires_at: string;
  readonly wording: number;
};

const LOCKED = [
  ...(['id', 'action_id', 'agent_id', 'workspace_id', 'environment_id', 'status', 'approver_roles', 'role_quorums'] as const),
  ...(['approver_groups', 'quorum', 'step_up', 'expires_at', 'wording'] as const),
];

const selectApproval = (tx: TenantTransaction, organizationId: string, id: string) =>
  tx
    .selectFrom('approvals')
    .select(LOCKED)
    .select(getAgentStanding('approvals').as('agent_status'))
    .where('organization_id', '=', organizationId)
    .where('id', '=', id);

export const lockApproval = (tx: TenantTransaction, organizationId: string, id: string): Promise<LockedApproval | undefined> =>
  selectApproval(tx, organizationId, id).forUpdate().executeTakeFirst();

/** The same without a lock. */
export const findApproval = (tx: TenantTransaction, organizationId: string, id: string): Promise<LockedApproval | undefined> =>
  selectApproval(tx, organizationId, id).executeTakeFirst();

/** Lists the oldest pending approvals, expired or not. */
export const listPendingApprovals = (tx: TenantTransaction, organizationId: string, limit: number): Promise<LockedApproval[]> =>
  tx
    .selectFrom('approvals')
    .select(LOCKED)
    .select(getAgentStanding('approvals').as('agent_status'))
    .where('organization_id', '=', organizationId)
    .where('status', '=', 'PENDING')
    .orderBy('id')
    .limit(limit)
    .execute();

/** Decides a pending approval that this transaction holds. */
export const decideApproval = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  decision:
    | { readonly status: 'APPROVED'; readonly approved_by: string[]; readonly separation: Separation; readonly decided_at: Date }
    | { readonly status: 'DENIED'; readonly denial_reason: string; readonly decided_at: Date },
): Promise<void> => {
  await tx
    .updateTable('approvals')
    .set({ ...decision, open_question: null })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('status', '=', 'PENDING')
    .execute();
};

/** Makes an approved approval pending again that this transaction holds. */
export const reopenApproval = async (tx: TenantTransaction, organizationId: string, id: string): Promise<void> => {
  await tx
    .updateTable('approvals')
    .set({ status: 'PENDING', approved_by: null, separation: null, decided_at: null })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('status', '=', 'APPROVED')
    .execute();
};

/** Moves the action that an approval holds, if it still waits for it. `completed_at` ends it. */
export const moveHeldAction = async (
  tx: TenantTransaction,
  organizationId: string,
  actionId: string,
  to: { readonly status: ActionStatus; readonly code?: string; readonly completed_at?: Date },
): Promise<void> => {
  await tx
    .updateTable('actions')
    .set(to)
    .where('organization_id', '=', organizationId)
    .where('id', '=', actionId)
    .where('status', 'in', ['PENDING_APPROVAL', 'APPROVED'])
    .execute();
};
