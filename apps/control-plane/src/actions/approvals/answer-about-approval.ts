import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { refuseSettledVote } from '@svc/domain/actions/approvals/vote-refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { answerAboutApproval as answerIt } from '@svc/operations/actions/approvals/answer-about-approval.ts';
import { holdApproval } from '@svc/operations/actions/approvals/take-vote.ts';
import { findApprovalSummary } from '@svc/postgres/actions/approvals/approvals.ts';
import type { ActionsDeps } from '../deps.ts';
import { readVote } from './votes/build-ballot.ts';

/** Answers for the agent. A caller who manages the agent is on the requester's side, so a caller who voted cannot answer. */
export const answerAboutApproval: Handler<Endpoints['answerAboutApproval'], ActionsDeps> = async (call) => {
  const { answer, question_number } = call.body;
  const { organization_id } = call.scope;
  const { type, id } = call.caller.actor;
  const ballot = await readVote(call);
  return call.change(async (change) => {
    const held = await holdApproval(change.tx, ballot);
    if (isRefusal(held)) return held;
    const refused = refuseSettledVote(held.votedOn, held.voter, 'answer', call.now);
    if (refused) return refused;
    const by = { type, id };
    const taken = await answerIt(change, organization_id, held.approval, { question_number, by, answer, now: call.now });
    return taken ?? (await findApprovalSummary(change.tx, organization_id, held.approval.id)) ?? call.refuse('NOT_FOUND');
  });
};
