import type { Approval } from '@svc/contract/actions/approvals.ts';
import { isRefusal, type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { type Count, countApprovers } from '@svc/domain/actions/approvals/quorum.ts';
import { approveRefusal } from '@svc/domain/actions/approvals/vote-refusal.ts';
import { decideApproval, moveHeldAction } from '@svc/postgres/actions/approvals/approval-decisions.ts';
import { findApprovalSummary } from '@svc/postgres/actions/approvals/approvals.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { isArchived } from '@svc/postgres/tenancy/environments.ts';
import { type Ballot, type TakenVote, takeVote, toldVotes } from './take-vote.ts';

type NotApproved = Refusal<'NOT_FOUND' | 'INVALID_STATE_TRANSITION'> | NonNullable<ReturnType<typeof approveRefusal>>;

const archived = (): Refusal<'INVALID_STATE_TRANSITION'> =>
  refusal('INVALID_STATE_TRANSITION', 'Its environment is archived, so nothing is let run in it: bring it back first, or deny this.', {
    operation: 'approve',
    from: 'ARCHIVED',
    allowed_from: ['ACTIVE'],
  });

/** One person's yes, and whether it was the last that was asked for: only then is there anybody by whom the approval was given. */
const tellVote = (emit: Change<'approval.approved'>['emit'], { approval, votes }: TakenVote, { granted, people }: Count): void => {
  const { action_id, agent_id, quorum } = approval;
  const given = votes.filter((cast) => cast.vote === 'APPROVE').length;
  const states = {
    before: { status: 'PENDING', approvals_given: given - 1 },
    after: { status: granted ? 'APPROVED' : 'PENDING', approvals_given: given },
  };
  const approved_by = granted ? [...people] : [];
  emit('approval.approved', {
    ...about.approval(approval),
    data: { action_id, agent_id, quorum, decided: granted, approved_by, votes: toldVotes(votes), ...states },
  });
};

/**
 * One person's yes, each told with those before it. The vote that completes the quorum approves the held action; the action still has to pass
 * the pipeline when it runs.
 */
export const approveApproval = async ({ tx, emit }: Change<'approval.approved'>, ballot: Ballot): Promise<Approval | NotApproved> => {
  const { organization_id } = ballot.scope;
  const taken = await takeVote(tx, ballot, 'APPROVE', approveRefusal);
  if (isRefusal(taken)) return taken;
  const { approval, votes } = taken;
  if (await isArchived(tx, organization_id, approval.environment_id)) return archived();
  const count = countApprovers(
    approval,
    votes.filter((cast) => cast.vote === 'APPROVE'),
  );
  if (count.granted) {
    const approved_by = [...count.people];
    await decideApproval(tx, organization_id, approval.id, { status: 'APPROVED', approved_by, decided_at: ballot.now });
    await moveHeldAction(tx, organization_id, approval.action_id, { status: 'APPROVED' });
  }
  tellVote(emit, taken, count);
  return (await findApprovalSummary(tx, organization_id, approval.id)) ?? refusal('NOT_FOUND');
};
