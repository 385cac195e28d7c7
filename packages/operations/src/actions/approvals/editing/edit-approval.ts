import type { Approval } from '@svc/contract/actions/approval-shapes.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { findApprovalSummary } from '@svc/postgres/actions/approvals/approvals.ts';
import { writeWording } from '@svc/postgres/actions/approvals/wordings.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { grantIfEnough, mayNotApprove } from '../approve-approval.ts';
import { type Ballot, castVote, formatVotes, holdApproval } from '../take-vote.ts';
import type { JudgedEdit } from './judge-edit.ts';

type NotEdited = NonNullable<Awaited<ReturnType<typeof mayNotApprove>>> | Refusal<'NOT_FOUND' | 'CONFLICT' | 'VERSION_CONFLICT'>;

export type Editing = JudgedEdit & {
  /** Number of the wording that the edit is based on. */
  readonly seen: number;
  readonly before: Pick<JudgedEdit, 'parameters' | 'amount'>;
};

/**
 * Edits and approves a request. Votes are for one wording, so earlier votes no longer count; their voters may vote again, and so may the
 * editor on a later wording.
 */
export const editApproval = async (
  change: Change<'approval.edited' | 'approval.vote_cast' | 'approval.approved'>,
  ballot: Ballot,
  { seen, before, ...edit }: Editing,
): Promise<Approval | NotEdited> => {
  const { tx, emit } = change;
  const { scope, now } = ballot;
  const held = await holdApproval(tx, ballot);
  if (isRefusal(held)) return held;
  const anew = { ...held, votedOn: { ...held.votedOn, voters: new Set<string>() } };
  const refused = await mayNotApprove(change, ballot, anew, seen);
  if (refused) return refused;
  const wording = await writeWording(tx, scope.organization_id, held.approval.id, { ...edit, seen, edited_by: held.voter.id, now });
  if (wording === undefined)
    return buildRefusal('CONFLICT', `A request can be edited at most ${LIMITS.approvals.wordingsMax - 1} times. Approve or deny it.`);
  const { action_id, agent_id } = held.approval;
  const states = { before: { wording: seen, ...before }, after: { wording, parameters: edit.parameters, amount: edit.amount } };
  emit('approval.edited', {
    ...about.approval(held.approval),
    data: { action_id, agent_id, ...states, votes_reset: formatVotes(held.votes) },
  });
  const reworded = { ...held, approval: { ...held.approval, wording }, votes: [] };
  await grantIfEnough(change, ballot, await castVote(change, ballot, reworded, 'APPROVE'), held);
  return (await findApprovalSummary(tx, scope.organization_id, held.approval.id)) ?? buildRefusal('NOT_FOUND');
};
