import { type GrantedApproval, withdrawGrantedApprovals as withdraw } from '@svc/postgres/actions/approvals/granted-approvals.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { digestRecords } from '../../events/audit-log/digest-records.ts';

/** Withdraws unused approvals that this transaction has locked, and records an event for each. */
export const withdrawUnusedApprovals = async (
  { tx, emit }: Change<'approval.cancelled'>,
  organizationId: string,
  approvals: readonly GrantedApproval[],
  { reason, now }: { readonly reason: string; readonly now: Date },
): Promise<void> => {
  if (approvals.length === 0) return;
  await withdraw(
    tx,
    organizationId,
    approvals.map(({ id }) => id),
    now,
  );
  const ids = approvals.map(({ action_id }) => action_id);
  const digests = await digestRecords(tx, organizationId, 'action', ids, ['outcome_digest']);
  const states = { before: { status: 'APPROVED' }, after: { status: 'CANCELLED' } };
  for (const approval of approvals) {
    const { action_id, agent_id, votes } = approval;
    emit('approval.cancelled', {
      ...about.approval(approval),
      data: { action_id, agent_id, votes, ...states, reason, ...digests(action_id) },
    });
  }
};
