import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { sanitizeText } from '@svc/domain/actions/approvals/sanitize-text.ts';
import { answerQuestion, type NewAnswer } from '@svc/postgres/actions/approvals/questions.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';

/** An approval as the person who answers sees it. */
export type ApprovalQuestionView = {
  readonly id: string;
  readonly action_id: string;
  readonly agent_id: string;
  readonly workspace_id: string;
  readonly environment_id: string;
};

/** Answers the open question. An agent's answer is marked as its claim. */
export const answerAboutApproval = async (
  { tx, emit }: Change<'approval.info_requested'>,
  organizationId: string,
  approval: ApprovalQuestionView,
  given: NewAnswer,
): Promise<Refusal<'CONFLICT'> | undefined> => {
  const answer = sanitizeText(given.answer);
  const answered = await answerQuestion(tx, organizationId, approval.id, { ...given, answer });
  if (answered === undefined) return buildRefusal('CONFLICT', 'No unanswered question has this number.');
  const { action_id, agent_id } = approval;
  const is_untrusted = given.by.type === 'AGENT';
  const data = { action_id, agent_id, change: 'answered', ...answered, answer, is_untrusted, after: { open_question: null } };
  emit('approval.info_requested', { ...about.approval(approval), data });
  return undefined;
};
