import { type Static, Type } from 'typebox';
import { closedObject, enumSchema, id, jsonObject, nullable, timestamp } from '../rows/schema.ts';
import { LIMITS } from '../tables/limits.ts';
import { AGENT_STATUSES, APPROVAL_STATUSES, PRINCIPAL_TYPES } from '../tables/vocabulary.ts';
import { Explanation } from './decisions.ts';

/** People who must approve in addition to those of one of the roles. */
export const ApproverGroup = closedObject({
  people: Type.Array(Type.String(), { description: 'Ids of additional people who may approve.' }),
  escalates_to: nullable(Type.String({ description: 'Role that is also asked from escalates_at on.' })),
  escalates_at: nullable(timestamp),
  escalated: Type.Boolean({ description: 'True after escalation to that role.' }),
});
export type ApproverGroup = Static<typeof ApproverGroup>;

/** Actions that the caller may take on an approval now. */
export const Decidable = closedObject({
  may_approve: Type.Boolean({ description: 'True if a vote to approve of the caller would count. A step-up may still be required.' }),
  may_deny: Type.Boolean(),
  code: nullable(Type.String({ description: 'Error code that a vote to approve would return; null if it would not be refused.' })),
  reason: nullable(Type.String({ description: 'Explanation of the code.' })),
});
export type Decidable = Static<typeof Decidable>;

const summary = {
  id: id('Approval id (apr_).'),
  status: enumSchema(APPROVAL_STATUSES),
  action_id: Type.String(),
  agent_id: Type.String(),
  agent_name: Type.String(),
  workspace_id: Type.String(),
  environment_id: Type.String(),
  tool: Type.String(),
  amount: nullable(Type.Integer()),
  currency: nullable(Type.String()),
  parameters_excerpt: Type.String({
    description: `Current version of the arguments as recorded JSON, without masked values. Truncated to the first ${LIMITS.approvals.excerptCharsMax} characters, followed by an ellipsis.`,
  }),
  reason: Type.String({ description: 'Reason of the rule that requires the approval.' }),
  approver_roles: Type.Array(Type.String(), { description: 'Each of these roles must be represented among the approvers.' }),
  role_quorums: nullable(
    Type.Array(Type.Integer(), {
      description: 'Number of approvers required for each role, in the order of approver_roles; null if only the quorum applies.',
    }),
  ),
  approver_groups: nullable(
    Type.Array(ApproverGroup, {
      description: 'Additional approvers for each role, in the order of approver_roles; null if there are none.',
    }),
  ),
  quorum: Type.Integer({ description: 'Total number of different people who must approve.' }),
  approvals_given: Type.Integer({
    description:
      'Number of approving votes for the current version that count: currently if pending, otherwise at the time of the decision.',
  }),
  wording: Type.Integer({ description: 'Version of the request that is voted on; 1 is the original request.' }),
  open_question: nullable(Type.Integer({ description: 'Number of the unanswered question; null if there is none.' })),
  step_up: Type.Boolean({ description: 'True if approving requires a new step-up.' }),
  requested_at: timestamp,
  expires_at: timestamp,
  decided_at: nullable(timestamp),
  decidable: Type.Optional({ ...Decidable, description: 'Present in single approvals and in lists with mine=true.' }),
};
export const Approval = closedObject(summary);
export type Approval = Static<typeof Approval>;

/** Why a person who could otherwise decide may not. */
export const NOT_DECIDING = ['BEHIND_REQUEST', 'BEHIND_AGENT', 'VOTED', 'REASSIGNED'] as const;

/** A person who may decide on an approval. */
export const Approver = closedObject({
  user_id: Type.String(),
  user_name: Type.String(),
  role: nullable(Type.String({ description: 'Name of the role.' })),
  may_decide: Type.Boolean(),
  because: nullable(
    enumSchema(
      NOT_DECIDING,
      'Reason that the person does not decide. BEHIND_REQUEST and BEHIND_AGENT: they made the request or manage the agent. VOTED: they have voted. REASSIGNED: they reassigned the decision.',
    ),
  ),
});
export type Approver = Static<typeof Approver>;

/** Reasons why a vote does not count. */
export const UNCOUNTED = [
  'WITHDRAWN',
  'OTHER_WORDING',
  'NO_ACCESS',
  'NO_PERMISSION',
  'BEHIND_REQUEST',
  'BEHIND_AGENT',
  'NOT_REQUESTED',
] as const;
export type Uncounted = (typeof UNCOUNTED)[number];
const UNCOUNTED_MEANS =
  'Reason the vote does not count. WITHDRAWN: the voter withdrew it. OTHER_WORDING: the request was edited after the vote. NO_ACCESS: the voter left or cannot access the workspace. NO_PERMISSION: the role of the voter does not permit approving. BEHIND_REQUEST and BEHIND_AGENT: the voter requested or delegated the action, or registered, keyed or authorized the agent. NOT_REQUESTED: the voter is not one of the requested approvers.';

/** Facts that a person needs to decide: the request as it would run, and why it was held. */
export const ApprovalCard = closedObject({
  ...summary,
  parameters: jsonObject('Arguments of the held request.'),
  destination: nullable(Type.String()),
  request_hash: Type.String({
    description:
      'SHA-256 that the approval is bound to, in hex. Masked if a parameter is masked, because it would let the value be guessed.',
  }),
  agent_status: nullable(enumSchema(AGENT_STATUSES, 'Current status of the agent. An approval for an inactive agent cannot be decided.')),
  requested_by: closedObject({ type: Type.String(), id: Type.String() }),
  explanation: Explanation,
  votes: Type.Array(
    closedObject({
      user_id: Type.String(),
      user_name: Type.String(),
      vote: enumSchema(['APPROVE', 'DENY']),
      wording: Type.Integer({ description: 'Version of the request that the vote is for. Only votes for the current version count.' }),
      comment: nullable(Type.String()),
      voted_at: timestamp,
      withdrawn_at: nullable({ ...timestamp, description: 'Time when the voter withdrew the vote.' }),
      counts: Type.Boolean({
        description: 'True if the vote counts: currently for a pending approval, otherwise at the time of the decision.',
      }),
      not_counted_because: nullable(enumSchema(UNCOUNTED, UNCOUNTED_MEANS)),
    }),
  ),
  wordings: Type.Array(
    closedObject({
      wording: Type.Integer(),
      parameters: jsonObject('Arguments in this version.'),
      amount: nullable(Type.Integer()),
      edited_by: nullable(Type.String({ description: 'Approver who narrowed the request; null for the original request.' })),
      edited_at: nullable(timestamp),
    }),
    { description: 'Original request and each narrowed version; empty if the request was never narrowed.' },
  ),
  questions: Type.Array(
    closedObject({
      question_number: Type.Integer(),
      asked_by: Type.String(),
      question: Type.String(),
      asked_at: timestamp,
      answer: nullable(Type.String()),
      answered_by: nullable(closedObject({ type: enumSchema(PRINCIPAL_TYPES), id: Type.String() })),
      answered_at: nullable(timestamp),
      is_untrusted: Type.Boolean({ description: 'True if an agent wrote the answer. The content is an unverified claim.' }),
    }),
  ),
  handovers: Type.Array(
    closedObject({
      from_user_id: Type.String(),
      to_user_id: Type.String(),
      comment: nullable(Type.String()),
      handed_over_at: timestamp,
      stands: Type.Boolean({
        description:
          'False if the target can no longer vote, or the original approver took the decision back. The original approver can then vote.',
      }),
    }),
    { description: 'Reassignments of the decision between approvers.' },
  ),
  approvable: Type.Boolean({
    description:
      'True if enough people can vote to approve the request. False if approvers left, or are the requester or the owner of the agent.',
  }),
  remedy: nullable(Type.String({ description: 'Next step if the approval is pending and cannot be approved.' })),
});
export type ApprovalCard = Static<typeof ApprovalCard>;

/** The approval that an agent waits for, as the agent sees it. */
export const ApprovalForAgent = closedObject({
  id: id('Approval id (apr_).'),
  action_id: Type.String(),
  status: enumSchema(APPROVAL_STATUSES),
  reason: Type.String(),
  denial_reason: nullable(Type.String()),
  poll_after_seconds: Type.Integer(),
  expires_at: timestamp,
  no_approver: Type.Boolean({ description: 'True while the approval is pending and no eligible approver can approve it.' }),
  question: nullable(
    closedObject({ question_number: Type.Integer(), question: Type.String(), asked_at: timestamp }, 'Unanswered question of an approver.'),
  ),
  approved_request: nullable(
    closedObject(
      { parameters: jsonObject('Approved arguments.'), amount: nullable(Type.Integer()) },
      'Present if an approver narrowed the request. Only exactly this request can be sent with the approval.',
    ),
  ),
});
export type ApprovalForAgent = Static<typeof ApprovalForAgent>;
