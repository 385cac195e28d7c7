import { LIMITS } from '@svc/contract/tables/limits.ts';
import { escalateApprovals as escalate } from '@svc/postgres/actions/approvals/escalate-approvals.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';

const { atOnceMax } = LIMITS.approvals;

/**
 * Adds the role that a rule names to approvals that were not decided in time. The quorum and the exclusions do not change. Returns true if
 * there may be more.
 */
export const escalateApprovals = async (
  { tx, emit }: Change<'approval.escalated'>,
  organizationId: string,
  now: Date,
): Promise<boolean> => {
  const escalated = await escalate(tx, organizationId, now, atOnceMax);
  for (const approval of escalated) {
    const { action_id, agent_id, quorum, approver_roles, approver_groups } = approval;
    const escalated_to = approver_groups.flatMap(({ escalated: is, escalates_to }) => (is && escalates_to !== null ? [escalates_to] : []));
    emit('approval.escalated', { ...about.approval(approval), data: { action_id, agent_id, quorum, approver_roles, escalated_to } });
  }
  return escalated.length === atOnceMax;
};
