import { type Static, Type } from 'typebox';
import { endpoint } from '../rows/endpoint.ts';
import { closed, id, jsonObject, listQuery, longText, nullable, oneOf, reason, timestamp } from '../rows/schema.ts';
import { APPROVAL_STATUSES } from '../tables/vocabulary.ts';
import { Explanation } from './decisions.ts';

const summary = {
  id: id('Approval id (apr_).'),
  status: oneOf(APPROVAL_STATUSES),
  action_id: Type.String(),
  agent_id: Type.String(),
  agent_name: Type.String(),
  workspace_id: Type.String(),
  environment_id: Type.String(),
  tool: Type.String(),
  amount: nullable(Type.Integer()),
  currency: nullable(Type.String()),
  reason: Type.String({ description: 'Reason text of the rule that asked for a person.' }),
  approver_roles: Type.Array(Type.String(), { description: 'Each must be among the roles of those who approve.' }),
  role_quorums: nullable(
    Type.Array(Type.Integer(), {
      description: 'How many people of each of these roles, in their order; null where only the quorum was asked.',
    }),
  ),
  quorum: Type.Integer({ description: 'Different people in all.' }),
  approvals_given: Type.Integer(),
  step_up: Type.Boolean({ description: 'Approving needs a fresh step-up.' }),
  requested_at: timestamp,
  expires_at: timestamp,
  decided_at: nullable(timestamp),
};
export const Approval = closed(summary);
export type Approval = Static<typeof Approval>;

/** What a person needs to decide: the request as it would run, and why it was held. */
export const ApprovalCard = closed({
  ...summary,
  parameters: jsonObject('Arguments of the held request.'),
  destination: nullable(Type.String()),
  request_hash: Type.String({
    description: 'SHA-256 the approval is bound to, hex; masked where a parameter is, since it would let that be guessed.',
  }),
  requested_by: closed({ type: Type.String(), id: Type.String() }),
  explanation: Explanation,
  votes: Type.Array(
    closed({
      user_id: Type.String(),
      user_name: Type.String(),
      vote: oneOf(['APPROVE', 'DENY']),
      comment: nullable(Type.String()),
      voted_at: timestamp,
    }),
  ),
});
export type ApprovalCard = Static<typeof ApprovalCard>;

/** What an agent sees of the approval it waits for. */
export const ApprovalForAgent = closed({
  id: id('Approval id (apr_).'),
  action_id: Type.String(),
  status: oneOf(APPROVAL_STATUSES),
  reason: Type.String(),
  denial_reason: nullable(Type.String()),
  poll_after_seconds: Type.Integer(),
  expires_at: timestamp,
});
export type ApprovalForAgent = Static<typeof ApprovalForAgent>;

export const approvalEndpoints = {
  listApprovals: endpoint({
    plane: 'control',
    area: 'actions',
    method: 'GET',
    path: '/v1/approvals',
    summary: 'Approvals, newest first or, on request, oldest first.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['approval:read'],
    query: Type.Object(
      {
        ...listQuery.properties,
        status: Type.Optional(oneOf(APPROVAL_STATUSES)),
        agent_id: Type.Optional(Type.String({ maxLength: 64 })),
        environment_id: Type.Optional(Type.String({ maxLength: 64 })),
        order: Type.Optional(oneOf(['newest', 'oldest'], 'Which come first; the newest unless it is said.')),
      },
      { additionalProperties: false },
    ),
    result: Type.Array(Approval),
    emits: [],
    refuses: [],
  }),
  getApproval: endpoint({
    plane: 'control',
    area: 'actions',
    method: 'GET',
    path: '/v1/approvals/{approvalId}',
    summary: 'The card: the held request with its full decision context.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['approval:read'],
    result: ApprovalCard,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  approveApproval: endpoint({
    plane: 'control',
    area: 'actions',
    method: 'POST',
    path: '/v1/approvals/{approvalId}/approve',
    summary: 'Approve this one request; needs a person, never an API key.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['approval:approve'],
    stepUp: 'may',
    body: closed({ comment: Type.Optional(longText('Why it is fine.')) }),
    bodyOptional: true,
    result: Approval,
    emits: ['approval.approved'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'STEP_UP_REQUIRED', 'APPROVAL_EXPIRED', 'INVALID_STATE_TRANSITION', 'CONFLICT'],
  }),
  denyApproval: endpoint({
    plane: 'control',
    area: 'actions',
    method: 'POST',
    path: '/v1/approvals/{approvalId}/deny',
    summary: 'Deny this one request.',
    byAnyClock: true,
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['approval:deny'],
    body: closed({ reason }),
    result: Approval,
    emits: ['approval.denied'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'APPROVAL_EXPIRED', 'INVALID_STATE_TRANSITION', 'CONFLICT'],
  }),
  getOwnApproval: endpoint({
    plane: 'gateway',
    area: 'actions',
    method: 'GET',
    path: '/gateway/v1/approvals/{approvalId}',
    summary: 'State of an approval this agent waits for.',
    credential: 'agent',
    budget: 'agent',
    sessionCheckedBy: 'door',
    wire: 'json',
    result: ApprovalForAgent,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
};
