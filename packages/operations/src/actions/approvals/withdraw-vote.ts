import type { Approval } from '@svc/contract/actions/approval-shapes.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { countApprovers } from '@svc/domain/actions/approvals/quorum.ts';
import { removeExcluded, resolveSeparation } from '@svc/domain/actions/approvals/separation.ts';
import { refuseWithdrawal } from '@svc/domain/actions/approvals/vote-refusal.ts';
import { moveHeldAction, reopenApproval } from '@svc/postgres/actions/approvals/approval-decisions.ts';
import { findApprovalSummary } from '@svc/postgres/actions/approvals/approvals.ts';
import { keepGrantedApprovals } from '@svc/postgres/actions/approvals/granted-approvals.ts';
import { withdrawVote as markWithdrawn } from '@svc/postgres/actions/approvals/votes.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { type Ballot, holdApproval, type LockedVote } from './take-vote.ts';

type NotWithdrawn = Refusal<'NOT_FOUND'> | NonNullable<ReturnType<typeof refuseWithdrawal>>;

/** Counts the other votes: the approval stays granted if they suffice, and is pending again otherwise. */
const recount = async (
  { tx }: Change<never>,
  { scope }: Ballot,
  { approval, votes, votedOn, linked, voter }: LockedVote,
): Promise<string> => {
  const { organization_id } = scope;
  const { id, action_id, status } = approval;
  if (status !== 'APPROVED') return status;
  const others = votes.filter(({ user_id }) => user_id !== voter.id);
  const { granted, people } = countApprovers(approval, removeExcluded(others, votedOn.excluded));
  if (granted) {
    await keepGrantedApprovals(tx, organization_id, id, {
      approved_by: [...people],
      separation: resolveSeparation(approval, others, linked),
    });
    return status;
  }
  await reopenApproval(tx, organization_id, id);
  await moveHeldAction(tx, organization_id, action_id, { status: 'PENDING_APPROVAL' });
  return 'PENDING';
};

/**
 * Withdraws a person's approving vote before the approval is used. It locks the approval, so a concurrent withdrawal and use are ordered:
 * after the use it is refused, and before it the use finds the approval changed.
 */
export const withdrawVote = async (change: Change<'approval.vote_withdrawn'>, ballot: Ballot): Promise<Approval | NotWithdrawn> => {
  const { tx, emit } = change;
  const { scope, comment, now } = ballot;
  const held = await holdApproval(tx, ballot);
  if (isRefusal(held)) return held;
  const { approval, votes, voter } = held;
  const vote = votes.find(({ user_id }) => user_id === voter.id);
  const refused = refuseWithdrawal(held.votedOn, voter, vote?.vote === 'APPROVE', now);
  if (refused) return refused;
  const { id: approval_id, action_id, agent_id, wording, status } = approval;
  await markWithdrawn(tx, scope.organization_id, { approval_id, user_id: voter.id, wording }, now);
  const after = await recount(change, ballot, held);
  emit('approval.vote_withdrawn', {
    ...about.approval(approval),
    data: { action_id, agent_id, wording, comment, before: { status }, after: { status: after } },
  });
  return (await findApprovalSummary(tx, scope.organization_id, approval_id)) ?? buildRefusal('NOT_FOUND');
};
