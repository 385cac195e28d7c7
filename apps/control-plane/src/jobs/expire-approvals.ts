import type { ClockEvent } from '@svc/contract/tables/written/clock-events.ts';
import { digestRecords } from '@svc/operations/events/audit-log/digest-records.ts';
import { expireOverdueApprovals, findOrganizationsWithOverdueApprovals } from '@svc/postgres/actions/approvals/overdue-approvals.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Job } from './job.ts';

const BATCH = 100;

/** Ends approvals that nobody decided or used in time, and the actions they held. */
export const expireApprovals: Job<ClockEvent<'expire-approvals'>> = {
  name: 'expire-approvals',
  everyMs: 2_000,
  findOrganizations: findOrganizationsWithOverdueApprovals,
  step: async ({ tx, emit }, organizationId, now) => {
    const expired = await expireOverdueApprovals(tx, organizationId, now, BATCH);
    const ids = expired.map(({ action_id }) => action_id);
    const digests = await digestRecords(tx, organizationId, 'action', ids, ['outcome_digest']);
    for (const approval of expired) {
      const { action_id, agent_id, expires_at, was, votes } = approval;
      const data = { action_id, agent_id, expires_at, votes, before: { status: was }, after: { status: 'EXPIRED' }, ...digests(action_id) };
      emit('approval.expired', { ...about.approval(approval), data });
    }
    return expired.length === BATCH;
  },
};
