import { Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { amount, closedObject, id, jsonObject, longText, reason } from '../rows/schema.ts';
import { LIMITS } from '../tables/limits.ts';
import { Approval } from './approval-shapes.ts';
import { VOTE_REFUSALS, wording } from './approvals.ts';

const { questionCharsMax, answerCharsMax } = LIMITS.approvals;

export const getWords = (lengthMax: number, description: string) =>
  Type.String({ minLength: 1, maxLength: lengthMax, pattern: '\\S', description });

export const answerBody = closedObject({
  answer: getWords(answerCharsMax, 'The answer; secrets in it are masked.'),
  question_number: Type.Optional(Type.Integer({ minimum: 1, description: 'Number of the question. Defaults to the open question.' })),
});

/** Operations of people on an approval other than deciding. */
export const approvalStepEndpoints = {
  editApproval: defineEndpoint({
    plane: 'control',
    area: 'actions',
    method: 'POST',
    path: '/v1/approvals/{approvalId}/edit',
    summary: 'Edit and approve: narrow the request and approve it. Earlier votes no longer count.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['approval:approve'],
    mayNeed: ['step_up'],
    body: closedObject({
      parameters: jsonObject(
        'Complete new arguments. Parameters that the tool lists in narrowable can have lower numbers and fewer elements or members, and the amount can be lower; everything else must equal the request.',
      ),
      amount: Type.Optional(amount),
      comment: Type.Optional(longText('Reason for the approval.')),
      wording: Type.Optional(wording),
    }),
    result: Approval,
    emits: ['approval.edited', 'approval.vote_cast', 'approval.approved'],
    refuses: [
      ...VOTE_REFUSALS,
      ...(['STEP_UP_REQUIRED', 'VERSION_CONFLICT', 'VALIDATION_FAILED', 'UNPROCESSABLE'] as const),
      ...(['IDENTITY_SERVICE_UNAVAILABLE', 'POLICY_SERVICE_UNAVAILABLE', 'APPROVAL_SERVICE_UNAVAILABLE'] as const),
    ],
    automation: { limit: 'Not if a rule requires a step-up of the approver.' },
  }),
  withdrawVote: defineEndpoint({
    plane: 'control',
    area: 'actions',
    method: 'POST',
    path: '/v1/approvals/{approvalId}/withdraw',
    summary: 'Withdraw your approving vote before the approval is used. If the other votes are not enough, the approval is pending again.',
    byAnyClock: true,
    credential: 'caller',
    budget: 'emergency',
    wire: 'json',
    permissions: ['approval:approve'],
    body: closedObject({ comment: Type.Optional(longText('Reason for withdrawing the vote.')) }),
    bodyOptional: true,
    result: Approval,
    emits: ['approval.vote_withdrawn'],
    refuses: VOTE_REFUSALS,
    automation: 'ALLOWED',
  }),
  handOverApproval: defineEndpoint({
    plane: 'control',
    area: 'actions',
    method: 'POST',
    path: '/v1/approvals/{approvalId}/delegate',
    summary: 'Reassign the decision to another person, who votes instead of you.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['approval:approve'],
    body: closedObject({
      user_id: id('User who decides instead (usr_).'),
      comment: Type.Optional(longText('Information for the new approver.')),
    }),
    result: Approval,
    emits: ['approval.delegated'],
    refuses: [...VOTE_REFUSALS, 'UNPROCESSABLE'],
    automation: 'ALLOWED',
  }),
  askAboutApproval: defineEndpoint({
    plane: 'control',
    area: 'actions',
    method: 'POST',
    path: '/v1/approvals/{approvalId}/questions',
    summary: 'Ask the agent, or a user who manages it, a question about the request.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['approval:approve'],
    body: closedObject({ question: getWords(questionCharsMax, 'The question.') }),
    result: Approval,
    emits: ['approval.info_requested'],
    refuses: VOTE_REFUSALS,
    automation: 'ALLOWED',
  }),
  answerAboutApproval: defineEndpoint({
    plane: 'control',
    area: 'actions',
    method: 'POST',
    path: '/v1/approvals/{approvalId}/answer',
    summary: 'Answer the open question for the agent. A user who answers cannot vote on the request.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['approval:read', 'agent:update'],
    body: answerBody,
    result: Approval,
    emits: ['approval.info_requested'],
    refuses: VOTE_REFUSALS,
    automation: 'ALLOWED',
  }),
  cancelApproval: defineEndpoint({
    plane: 'control',
    area: 'actions',
    method: 'POST',
    path: '/v1/approvals/{approvalId}/cancel',
    summary: 'Withdraw the request for the agent, before it has an effect.',
    byAnyClock: true,
    credential: 'caller',
    budget: 'emergency',
    wire: 'json',
    permissions: ['approval:read', 'agent:update'],
    body: closedObject({ reason }),
    result: Approval,
    emits: ['approval.cancelled'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    automation: 'ALLOWED',
  }),
};
