import type { Approval } from '@svc/contract/actions/approval-shapes.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { refuseDenial } from '@svc/domain/actions/approvals/vote-refusal.ts';
import { decideApproval, moveHeldAction } from '@svc/postgres/actions/approvals/approval-decisions.ts';
import { findApprovalSummary } from '@svc/postgres/actions/approvals/approvals.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { digestRecords } from '../../events/audit-log/digest-records.ts';
import { type Ballot, formatVotes, takeVote } from './take-vote.ts';

type NotDenied = Refusal<'NOT_FOUND'> | NonNullable<ReturnType<typeof refuseDenial>>;

/**
 * Denies a request with the reason in the ballot; one denial is final, regardless of earlier approvals: the held action is blocked
 * permanently.
 */
export const denyApproval = async (
  change: Change<'approval.vote_cast' | 'approval.denied'>,
  ballot: Ballot & { readonly comment: string },
): Promise<Approval | NotDenied> => {
  const { tx, emit } = change;
  const { scope, comment: reason, now } = ballot;
  const taken = await takeVote(change, ballot, 'DENY', refuseDenial);
  if (isRefusal(taken)) return taken;
  const { id, action_id, agent_id } = taken.approval;
  await decideApproval(tx, scope.organization_id, id, { status: 'DENIED', denial_reason: reason, decided_at: now });
  await moveHeldAction(tx, scope.organization_id, action_id, { status: 'BLOCKED', code: 'APPROVAL_NOT_GRANTED', completed_at: now });
  const digests = await digestRecords(tx, scope.organization_id, 'action', [action_id], ['outcome_digest']);
  const states = { before: { status: 'PENDING' }, after: { status: 'DENIED' } };
  emit('approval.denied', {
    ...about.approval(taken.approval),
    data: { action_id, agent_id, reason, votes: formatVotes(taken.votes), ...states, ...digests(action_id) },
  });
  return (await findApprovalSummary(tx, scope.organization_id, id)) ?? buildRefusal('NOT_FOUND');
};
