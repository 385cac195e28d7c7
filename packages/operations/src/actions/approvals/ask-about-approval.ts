import type { Approval } from '@svc/contract/actions/approval-shapes.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sanitizeText } from '@svc/domain/actions/approvals/sanitize-text.ts';
import { refuseNonVoter, refuseSettledVote } from '@svc/domain/actions/approvals/vote-refusal.ts';
import { findApprovalSummary } from '@svc/postgres/actions/approvals/approvals.ts';
import { openQuestion } from '@svc/postgres/actions/approvals/questions.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { type Ballot, holdApproval } from './take-vote.ts';

type Refused = Refusal<'NOT_FOUND' | 'PERMISSION_DENIED' | 'APPROVAL_EXPIRED' | 'INVALID_STATE_TRANSITION' | 'CONFLICT'>;

/** Asks a question on behalf of a person who may decide. One question is open at a time. */
export const askAboutApproval = async (
  { tx, emit }: Change<'approval.info_requested'>,
  ballot: Ballot,
  asked: string,
): Promise<Approval | Refused> => {
  const { scope, now } = ballot;
  const question = sanitizeText(asked);
  const held = await holdApproval(tx, ballot);
  if (isRefusal(held)) return held;
  const { approval, votedOn, voter } = held;
  // A person who voted or reassigned the vote may still ask.
  const asking = { ...votedOn, voters: new Set<string>() };
  const refused = refuseNonVoter(asking, voter) ?? refuseSettledVote(asking, { ...voter, handed_over: false }, 'ask', now);
  if (refused) return refused;
  const question_number = await openQuestion(tx, scope.organization_id, approval.id, { asked_by: voter.id, question, now });
  if (question_number === undefined)
    return buildRefusal('CONFLICT', `Another question is unanswered, or ${LIMITS.approvals.questionsMax} questions were already asked.`);
  const { action_id, agent_id } = approval;
  const states = { before: { open_question: null }, after: { open_question: question_number } };
  const data = { action_id, agent_id, change: 'asked', question_number, question, ...states };
  emit('approval.info_requested', { ...about.approval(approval), data });
  return (await findApprovalSummary(tx, scope.organization_id, approval.id)) ?? buildRefusal('NOT_FOUND');
};
