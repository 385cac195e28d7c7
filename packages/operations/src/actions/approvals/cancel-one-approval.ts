import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { cancelApproval } from '@svc/postgres/actions/approvals/cancel-approval.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { digestRecords } from '../../events/audit-log/digest-records.ts';

type Cancelling = {
  readonly organizationId: string;
  readonly approvalId: string;
  readonly reason: string | null;
  readonly now: Date;
  /** Only an approval that this agent waits for. */
  readonly agentId?: string;
};

/** Withdraws a request: it is no longer pending, and if it was approved the approval can no longer be used. */
export const cancelOneApproval = async (
  { tx, emit }: Change<'approval.cancelled'>,
  { organizationId, approvalId, reason, ...of }: Cancelling,
): Promise<Refusal<'INVALID_STATE_TRANSITION'> | undefined> => {
  const cancelled = await cancelApproval(tx, organizationId, approvalId, of);
  if (cancelled === undefined)
    return buildRefusal('INVALID_STATE_TRANSITION', 'The approval has already been decided, used or withdrawn, or has expired.', {
      operation: 'cancel',
      allowed_from: ['PENDING', 'APPROVED'],
    });
  const { action_id, agent_id, was } = cancelled;
  const digests = await digestRecords(tx, organizationId, 'action', [action_id], ['outcome_digest']);
  const states = { before: { status: was }, after: { status: 'CANCELLED' } };
  emit('approval.cancelled', { ...about.approval(cancelled), data: { action_id, agent_id, ...states, reason, ...digests(action_id) } });
  return undefined;
};
