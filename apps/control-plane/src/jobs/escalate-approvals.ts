import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { escalateApprovals as escalate, findOrganizationsToEscalate } from '@svc/postgres/actions/approvals/escalate-approvals.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Job } from './job.ts';

const { atOnceMax } = LIMITS.approvals;

/** Asks another role too where nobody decided in the time a rule gives. Quorum and who may not decide stay as they were. */
export const escalateApprovals: Job<ClockEvent<'escalate-approvals'>> = {
  name: 'escalate-approvals',
  everyMs: 2_000,
  findOrganizations: findOrganizationsToEscalate,
  step: async ({ tx, emit }, organizationId, now) => {
    const escalated = await escalate(tx, organizationId, now, atOnceMax);
    for (const approval of escalated) {
      const { action_id, agent_id, quorum, approver_roles, approver_groups } = approval;
      const escalated_to = approver_groups.flatMap(({ escalated: is, escalates_to }) =>
        is && escalates_to !== null ? [escalates_to] : [],
      );
      emit('approval.escalated', { ...about.approval(approval), data: { action_id, agent_id, quorum, approver_roles, escalated_to } });
    }
    return escalated.length === atOnceMax;
  },
};
