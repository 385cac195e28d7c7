import { expireOverdueApprovals } from '@svc/postgres/actions/approvals/overdue-approvals.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { digestRecords } from '../../events/audit-log/digest-records.ts';

const BATCH = 100;

/** Expires a batch of approvals that were not decided or used in time, with the actions they hold. Returns true if there may be more. */
export const expireApprovals = async ({ tx, emit }: Change<'approval.expired'>, organizationId: string, now: Date): Promise<boolean> => {
  const expired = await expireOverdueApprovals(tx, organizationId, now, BATCH);
  const ids = expired.map(({ action_id }) => action_id);
  const digests = await digestRecords(tx, organizationId, 'action', ids, ['outcome_digest']);
  for (const approval of expired) {
    const { action_id, agent_id, expires_at, was, votes } = approval;
    const data = { action_id, agent_id, expires_at, votes, before: { status: was }, after: { status: 'EXPIRED' }, ...digests(action_id) };
    emit('approval.expired', { ...about.approval(approval), data });
  }
  return expired.length === BATCH;
};
