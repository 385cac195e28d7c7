import { type ApprovalSelection, cancelApprovals } from '@svc/postgres/actions/approvals/cancel-approvals.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { digestRecords } from '../../events/audit-log/digest-records.ts';

/** Maximum number of approvals that end in one change. */
const BATCH_MAX = 500;

export type Closing = {
  readonly organizationId: string;
  readonly place: ApprovalSelection;
  readonly reason: string;
  readonly now: Date;
  /** Code of the held actions; defaults to that of a closed scope. */
  readonly code?: 'ENVIRONMENT_PAUSED' | 'APPROVAL_NOT_GRANTED';
};

/** Withdraws the open approvals of all agents in a scope, a batch at a time. Returns true if there may be more. */
export const cancelApprovalsOfPlace = async (
  { tx, emit }: Change<'approval.cancelled'>,
  { organizationId, place, reason, now, code = 'ENVIRONMENT_PAUSED' }: Closing,
): Promise<boolean> => {
  const cancelled = await cancelApprovals(tx, organizationId, place, { code, now, limit: BATCH_MAX });
  const ids = cancelled.map(({ action_id }) => action_id);
  const digests = await digestRecords(tx, organizationId, 'action', ids, ['outcome_digest']);
  for (const approval of cancelled) {
    const { action_id, agent_id, was, votes } = approval;
    const states = { before: { status: was }, after: { status: 'CANCELLED' } };
    emit('approval.cancelled', {
      ...about.approval(approval),
      data: { action_id, agent_id, votes, ...states, reason, ...digests(action_id) },
    });
  }
  return cancelled.length === BATCH_MAX;
};
