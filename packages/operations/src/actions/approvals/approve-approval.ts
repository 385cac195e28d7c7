import type { Approval } from '@svc/contract/actions/approval-shapes.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { countApprovers } from '@svc/domain/actions/approvals/quorum.ts';
import { removeExcluded, resolveSeparation } from '@svc/domain/actions/approvals/separation.ts';
import { refuseApproval, refuseStaleVote } from '@svc/domain/actions/approvals/vote-refusal.ts';
import { decideApproval, moveHeldAction } from '@svc/postgres/actions/approvals/approval-decisions.ts';
import { findApprovalSummary } from '@svc/postgres/actions/approvals/approvals.ts';
import { applyWording } from '@svc/postgres/actions/approvals/wordings.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { isArchived } from '@svc/postgres/tenancy/environments.ts';
import { digestRecords } from '../../events/audit-log/digest-records.ts';
import { type Ballot, castVote, formatVotes, holdApproval, type LockedVote, type TakenVote } from './take-vote.ts';

type NotApproved = Refusal<'NOT_FOUND' | 'INVALID_STATE_TRANSITION' | 'VERSION_CONFLICT'> | NonNullable<ReturnType<typeof refuseApproval>>;

const archived = (): Refusal<'INVALID_STATE_TRANSITION'> =>
  buildRefusal(
    'INVALID_STATE_TRANSITION',
    'The environment is archived, so no action can run in it. Unarchive it first, or deny this request.',
    {
      operation: 'approve',
      from: 'ARCHIVED',
      allowed_from: ['ACTIVE'],
    },
  );

/** Returns why a person may not approve now, in the role they have. */
export const mayNotApprove = async (
  { tx }: Pick<Change<never>, 'tx'>,
  { scope, now }: Ballot,
  { approval, votedOn, voter }: LockedVote,
  seen: number | undefined,
): Promise<NotApproved | undefined> => {
  const refused = refuseApproval(votedOn, voter, now) ?? refuseStaleVote(approval, seen);
  if (refused) return refused;
  return (await isArchived(tx, scope.organization_id, approval.environment_id)) ? archived() : undefined;
};

/** Approves the request if the votes suffice, and records whose votes those were. */
export const grantIfEnough = async (
  { tx, emit }: Change<'approval.approved'>,
  { scope, now }: Ballot,
  { approval, votes }: TakenVote,
  { votedOn, linked }: Pick<LockedVote, 'votedOn' | 'linked'>,
): Promise<void> => {
  const { organization_id } = scope;
  const { id, action_id, agent_id, quorum, wording } = approval;
  const given = votes.filter(({ vote }) => vote === 'APPROVE');
  const { granted, people } = countApprovers(approval, removeExcluded(given, votedOn.excluded));
  if (!granted) return;
  const separation = resolveSeparation(approval, given, linked);
  const approved_by = [...people];
  await decideApproval(tx, organization_id, id, { status: 'APPROVED', approved_by, separation, decided_at: now });
  await moveHeldAction(tx, organization_id, action_id, { status: 'APPROVED' });
  await applyWording(tx, organization_id, id);
  const states = { before: { status: 'PENDING' }, after: { status: 'APPROVED', approvals_given: people.length } };
  const parts = wording > 1 ? ['decision_digest', 'outcome_digest'] : ['outcome_digest'];
  const digests = await digestRecords(tx, organization_id, 'action', [action_id], parts);
  emit('approval.approved', {
    ...about.approval(approval),
    data: { action_id, agent_id, quorum, wording, decided: true, approved_by, votes: formatVotes(votes), ...states, ...digests(action_id) },
  });
};

/**
 * Records a person's approving vote for a wording that they have seen. The vote that completes the quorum approves the held action; the
 * action still has to pass the pipeline when it runs.
 */
export const approveApproval = async (
  change: Change<'approval.vote_cast' | 'approval.approved'>,
  ballot: Ballot & { readonly wording: number | undefined },
): Promise<Approval | NotApproved> => {
  const { tx } = change;
  const held = await holdApproval(tx, ballot);
  if (isRefusal(held)) return held;
  const refused = await mayNotApprove(change, ballot, held, ballot.wording);
  if (refused) return refused;
  await grantIfEnough(change, ballot, await castVote(change, ballot, held, 'APPROVE'), held);
  return (await findApprovalSummary(tx, ballot.scope.organization_id, held.approval.id)) ?? buildRefusal('NOT_FOUND');
};
