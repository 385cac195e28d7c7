import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { answerAboutApproval } from '@svc/operations/actions/approvals/answer-about-approval.ts';
import { findApprovalPlace } from '@svc/postgres/actions/approvals/find-own-approval.ts';
import type { GatewayDeps } from '../../deps.ts';
import { ownApproval } from './own/own-approval.ts';

/** Answers an approver's question. The answer is marked as the agent's claim. */
export const answerOwnApproval: Handler<Endpoints['answerOwnApproval'], GatewayDeps> = (call) => {
  const { organizationId, agentId } = call.agent;
  const { answer, question_number } = call.body;
  return call.change(async (change) => {
    const before = await ownApproval(change.tx, call);
    const place = await findApprovalPlace(change.tx, organizationId, call.params.approvalId);
    if (!before || !place) return call.refuse('NOT_FOUND');
    if (before.status === 'EXPIRED') return call.refuse('APPROVAL_EXPIRED');
    if (before.status !== 'PENDING') return call.refuse('INVALID_STATE_TRANSITION', 'The approval has already been decided.');
    const by = { type: 'AGENT', id: agentId } as const;
    const refused = await answerAboutApproval(change, organizationId, place, { question_number, by, answer, now: call.now });
    return refused ?? (await ownApproval(change.tx, call)) ?? call.refuse('NOT_FOUND');
  });
};
