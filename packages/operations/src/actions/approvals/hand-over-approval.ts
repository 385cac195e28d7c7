import type { Approval } from '@svc/contract/actions/approval-shapes.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { mayApprove } from '@svc/domain/actions/approvals/approver-role.ts';
import { standsHandedTo } from '@svc/domain/actions/approvals/separation.ts';
import { refuseNonVoter, refuseOwnRequest, refuseSettledVote, refuseUnrequestedVoter } from '@svc/domain/actions/approvals/vote-refusal.ts';
import { findApprovalSummary } from '@svc/postgres/actions/approvals/approvals.ts';
import { findHandovers, findWorkspaceRole, insertHandover } from '@svc/postgres/actions/approvals/handovers.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { type Ballot, holdApproval, type LockedVote } from './take-vote.ts';

type Refused = Refusal<'NOT_FOUND' | 'PERMISSION_DENIED' | 'APPROVAL_EXPIRED' | 'INVALID_STATE_TRANSITION' | 'CONFLICT' | 'UNPROCESSABLE'>;

/**
 * Returns why a person is not eligible: a requester, a person who voted or reassigned the vote, or one without the permission to approve
 * there.
 */
const unfit = async (
  tx: TenantTransaction,
  { scope }: Ballot,
  { approval, votedOn, voter, handovers }: LockedVote,
  to: string,
): Promise<Refused | undefined> => {
  if (handovers.total >= LIMITS.approvals.handoversMax)
    return buildRefusal('CONFLICT', `A decision can be reassigned at most ${LIMITS.approvals.handoversMax} times.`);
  if (to === voter.id) return buildRefusal('UNPROCESSABLE', 'You already decide on this approval. Choose another person.');
  const role = await findWorkspaceRole(tx, scope.organization_id, to, approval.workspace_id);
  if (role === null || !mayApprove(role))
    return buildRefusal('UNPROCESSABLE', 'A decision can only be reassigned to a member who may approve in that workspace.', {
      user_id: to,
    });
  const excluded_because = votedOn.excluded.get(to);
  if (excluded_because)
    return buildRefusal(
      'UNPROCESSABLE',
      'This person made the request or manages the agent, so they cannot approve it. Choose another approver.',
      {
        user_id: to,
        excluded_because,
      },
    );
  if (votedOn.voters.has(to)) return buildRefusal('UNPROCESSABLE', 'This person has already voted.', { user_id: to });
  const theirs = await findHandovers(tx, scope.organization_id, approval.id, to);
  return standsHandedTo(theirs.handed_to, votedOn.excluded)
    ? buildRefusal('UNPROCESSABLE', 'This person has already reassigned the decision.', { user_id: to })
    : undefined;
};

/** Refuses to reassign a vote twice: else it would be unclear whose decision it is. */
const mayNotHandOver = (held: LockedVote, now: Date): Refused | undefined => {
  const { approval, votedOn, voter } = held;
  const own = { ...voter, stands_for: [] };
  const isHanded = refuseNonVoter(votedOn, voter) === undefined && refuseNonVoter(votedOn, own) !== undefined;
  if (isHanded) return buildRefusal('PERMISSION_DENIED', 'This decision was reassigned to you and cannot be reassigned again.');
  const refused = refuseNonVoter(votedOn, own) ?? refuseOwnRequest(votedOn, own) ?? refuseSettledVote(votedOn, own, 'delegate', now);
  if (refused) return refused;
  return voter.role !== null && mayApprove(voter.role) ? undefined : refuseUnrequestedVoter(approval);
};

/** Reassigns an approver's vote. The vote counts as long as both may approve. */
export const handOverApproval = async (
  { tx, emit }: Change<'approval.delegated'>,
  ballot: Ballot,
  to: string,
): Promise<Approval | Refused> => {
  const { scope, comment, now } = ballot;
  const held = await holdApproval(tx, ballot);
  if (isRefusal(held)) return held;
  const refused = mayNotHandOver(held, now) ?? (await unfit(tx, ballot, held, to));
  if (refused) return refused;
  const { id, action_id, agent_id, workspace_id, environment_id } = held.approval;
  const people = { from_user_id: held.voter.id, to_user_id: to };
  await insertHandover(tx, scope.organization_id, {
    approval_id: id,
    workspace_id,
    environment_id,
    ...people,
    comment,
    handed_over_at: now,
  });
  emit('approval.delegated', { ...about.approval(held.approval), data: { action_id, agent_id, ...people, comment } });
  return (await findApprovalSummary(tx, scope.organization_id, id)) ?? buildRefusal('NOT_FOUND');
};
