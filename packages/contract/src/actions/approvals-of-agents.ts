import { Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject } from '../rows/schema.ts';
import { LIMITS } from '../tables/limits.ts';
import { ApprovalForAgent } from './approval-shapes.ts';
import { answerBody, getWords } from './approval-steps.ts';

/** Operations of agents on approvals that they wait for. */
export const approvalOfAgentEndpoints = {
  getOwnApproval: defineEndpoint({
    plane: 'gateway',
    area: 'actions',
    method: 'GET',
    path: '/gateway/v1/approvals/{approvalId}',
    summary: 'Get the state of an approval that this agent waits for. With `wait`, responds when the state changes.',
    credential: 'agent',
    budget: 'agent',
    sessionCheckedBy: 'door',
    wire: 'json',
    query: closedObject({
      wait: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: LIMITS.approvals.waitSecondsMax,
          description: 'Maximum time to wait while the approval is pending and no question is open [long polling].',
        }),
      ),
    }),
    result: ApprovalForAgent,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  answerOwnApproval: defineEndpoint({
    plane: 'gateway',
    area: 'actions',
    method: 'POST',
    path: '/gateway/v1/approvals/{approvalId}/answer',
    summary: 'Answer the open question of an approver.',
    credential: 'agent',
    budget: 'agent',
    sessionCheckedBy: 'door',
    wire: 'json',
    body: answerBody,
    result: ApprovalForAgent,
    emits: ['approval.info_requested'],
    refuses: ['NOT_FOUND', 'APPROVAL_EXPIRED', 'INVALID_STATE_TRANSITION', 'CONFLICT'],
  }),
  cancelOwnApproval: defineEndpoint({
    plane: 'gateway',
    area: 'actions',
    method: 'POST',
    path: '/gateway/v1/approvals/{approvalId}/cancel',
    summary: 'Withdraw a request of this agent whose approval is pending or unused.',
    credential: 'agent',
    budget: 'agent',
    sessionCheckedBy: 'door',
    wire: 'json',
    body: closedObject({ reason: Type.Optional(getWords(LIMITS.approvals.questionCharsMax, 'Reason; secrets in it are masked.')) }),
    bodyOptional: true,
    result: ApprovalForAgent,
    emits: ['approval.cancelled'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
  }),
};
