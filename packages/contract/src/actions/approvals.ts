import { type Static, Type } from 'typebox';
import { EventFilter } from '../events/audit-events.ts';
import { defineEndpoint } from '../rows/endpoint.ts';
import { boundedListQuery, closedObject, enumSchema, id, listQuery, longText, reason } from '../rows/schema.ts';
import { LIMITS } from '../tables/limits.ts';
import { APPROVAL_STATUSES } from '../tables/vocabulary.ts';
import { Approval, ApprovalCard, Approver } from './approval-shapes.ts';

/** Number of the wording that the caller means; editing creates a new one. */
export const wording = Type.Integer({
  minimum: 1,
  description: 'Version of the request that the vote is for. Defaults to the original request.',
});
/** Types of the events that a stream of approvals reports. */
export const APPROVAL_CHANGES = [
  'approval.requested',
  'approval.approved',
  'approval.denied',
  'approval.expired',
  'approval.cancelled',
  'approval.escalated',
  'approval.info_requested',
  'approval.delegated',
  'approval.vote_cast',
  'approval.vote_withdrawn',
  'approval.restored',
  'approval.edited',
] as const;

export const ApprovalChange = closedObject({
  approval_id: id('Approval that changed.'),
  type: enumSchema(APPROVAL_CHANGES, 'Type of the event that changed it.'),
});
export type ApprovalChange = Static<typeof ApprovalChange>;

export const VOTE_REFUSALS = ['NOT_FOUND', 'PERMISSION_DENIED', 'APPROVAL_EXPIRED', 'INVALID_STATE_TRANSITION', 'CONFLICT'] as const;

export const approvalEndpoints = {
  listApprovals: defineEndpoint({
    plane: 'control',
    area: 'actions',
    method: 'GET',
    path: '/v1/approvals',
    summary: 'List approvals, newest first by default.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['approval:read'],
    query: Type.Object(
      {
        ...listQuery.properties,
        status: Type.Optional(enumSchema(APPROVAL_STATUSES)),
        agent_id: Type.Optional(Type.String({ maxLength: 64 })),
        environment_id: Type.Optional(Type.String({ maxLength: 64 })),
        mine: Type.Optional(
          Type.Boolean({
            description: `Only pending approvals that the caller may decide on, among the oldest ${LIMITS.approvals.mineLookedAtMax}; oldest first. Excludes other filters.`,
          }),
        ),
        order: Type.Optional(enumSchema(['newest', 'oldest'], 'Sort order; newest first by default.')),
      },
      { additionalProperties: false },
    ),
    result: Type.Array(Approval),
    emits: [],
    refuses: ['VALIDATION_FAILED'],
  }),
  getApproval: defineEndpoint({
    plane: 'control',
    area: 'actions',
    method: 'GET',
    path: '/v1/approvals/{approvalId}',
    summary: 'Get an approval, with the held request and its full decision context.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['approval:read'],
    result: ApprovalCard,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  streamApprovals: defineEndpoint({
    plane: 'control',
    area: 'actions',
    method: 'GET',
    path: '/v1/approvals/stream',
    summary:
      'Stream changes of approvals as server-sent events: which approval changed, and how. Read it for the rest. Resume with Last-Event-ID without gaps.',
    credential: 'caller',
    budget: 'caller',
    wire: 'stream',
    permissions: ['approval:read'],
    query: closedObject({ after: EventFilter.properties.after }),
    result: ApprovalChange,
    emits: [],
    refuses: ['INVALID_REQUEST', 'VALIDATION_FAILED', 'RATE_LIMITED'],
  }),
  listApprovers: defineEndpoint({
    plane: 'control',
    area: 'actions',
    method: 'GET',
    path: '/v1/approvals/{approvalId}/approvers',
    summary: 'List the people whose role lets them decide on an approval, and who of them does not.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['approval:read'],
    query: boundedListQuery,
    result: Type.Array(Approver),
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  approveApproval: defineEndpoint({
    plane: 'control',
    area: 'actions',
    method: 'POST',
    path: '/v1/approvals/{approvalId}/approve',
    summary: 'Approve this request. Requires a user; API keys cannot approve.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['approval:approve'],
    mayNeed: ['step_up'],
    body: closedObject({ comment: Type.Optional(longText('Reason for the approval.')), wording: Type.Optional(wording) }),
    bodyOptional: true,
    result: Approval,
    emits: ['approval.vote_cast', 'approval.approved'],
    refuses: [...VOTE_REFUSALS, 'STEP_UP_REQUIRED', 'VERSION_CONFLICT'],
    automation: { limit: 'Not if a rule requires a step-up of the approver.' },
  }),
  denyApproval: defineEndpoint({
    plane: 'control',
    area: 'actions',
    method: 'POST',
    path: '/v1/approvals/{approvalId}/deny',
    summary: 'Deny this request.',
    byAnyClock: true,
    credential: 'caller',
    budget: 'emergency',
    wire: 'json',
    permissions: ['approval:deny'],
    body: closedObject({ reason }),
    result: Approval,
    emits: ['approval.vote_cast', 'approval.denied'],
    refuses: VOTE_REFUSALS,
    automation: 'ALLOWED',
  }),
};
