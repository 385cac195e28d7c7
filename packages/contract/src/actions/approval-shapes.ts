import { type Static, Type } from 'typebox';
import { closed, id, jsonObject, nullable, oneOf, timestamp } from '../rows/schema.ts';
import { LIMITS } from '../tables/limits.ts';
import { AGENT_STATUSES, APPROVAL_STATUSES, PRINCIPAL_TYPES } from '../tables/vocabulary.ts';
import { Explanation } from './decisions.ts';

/** Who is asked beside the people of one of the roles. */
export const ApproverGroup = closed({
  people: Type.Array(Type.String(), { description: 'Ids of additional people who may approve.' }),
  escalates_to: nullable(Type.String({ description: 'Role that is asked too after a time.' })),
  escalates_at: nullable(timestamp),
  escalated: Type.Boolean({ description: 'True after escalation to that role.' }),
});
export type ApproverGroup = Static<typeof ApproverGroup>;

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
  parameters_excerpt: Type.String({
    description: `The arguments in the wording that stands, as JSON, as they are recorded: what is masked is not in it. The first ${LIMITS.approvals.excerptCharsMax} characters, and an ellipsis where there are more.`,
  }),
  reason: Type.String({ description: 'Reason text of the rule that asked for a person.' }),
  approver_roles: Type.Array(Type.String(), { description: 'Each must be among the roles of those who approve.' }),
  role_quorums: nullable(
    Type.Array(Type.Integer(), {
      description: 'How many people of each of these roles, in their order; null where only the quorum was asked.',
    }),
  ),
  approver_groups: nullable(
    Type.Array(ApproverGroup, { description: 'People asked in addition to each of these roles, in order; null if there are none.' }),
  ),
  quorum: Type.Integer({ description: 'Different people in all.' }),
  approvals_given: Type.Integer({
    description: 'Approving votes on the current wording that count: now while it is pending, and otherwise when it was decided.',
  }),
  wording: Type.Integer({ description: 'Number of the wording that is voted on: 1 is what was asked.' }),
  open_question: nullable(Type.Integer({ description: 'Number of the question that waits for its answer.' })),
  step_up: Type.Boolean({ description: 'Approving needs a fresh step-up.' }),
  requested_at: timestamp,
  expires_at: timestamp,
  decided_at: nullable(timestamp),
};
export const Approval = closed(summary);
export type Approval = Static<typeof Approval>;

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
  'Why it does not count. WITHDRAWN by its person; OTHER_WORDING: the request was edited since; NO_ACCESS: the person left or does not see the workspace; NO_PERMISSION: their role may not approve; BEHIND_REQUEST and BEHIND_AGENT: they asked, delegated, or registered, keyed or authorized the agent; NOT_REQUESTED: others are asked.';

/** What a person needs to decide: the request as it would run, and why it was held. */
export const ApprovalCard = closed({
  ...summary,
  parameters: jsonObject('Arguments of the held request.'),
  destination: nullable(Type.String()),
  request_hash: Type.String({
    description: 'SHA-256 the approval is bound to, hex; masked where a parameter is, since it would let that be guessed.',
  }),
  agent_status: nullable(oneOf(AGENT_STATUSES, 'Current status of the agent. An approval for an inactive agent cannot be decided.')),
  requested_by: closed({ type: Type.String(), id: Type.String() }),
  explanation: Explanation,
  votes: Type.Array(
    closed({
      user_id: Type.String(),
      user_name: Type.String(),
      vote: oneOf(['APPROVE', 'DENY']),
      wording: Type.Integer({ description: 'Version of the request that the vote is for. Only votes for the current version count.' }),
      comment: nullable(Type.String()),
      voted_at: timestamp,
      withdrawn_at: nullable({ ...timestamp, description: 'When its person withdrew it.' }),
      counts: Type.Boolean({
        description: 'True if the vote counts: at the moment for a pending approval, otherwise at the time of the decision.',
      }),
      not_counted_because: nullable(oneOf(UNCOUNTED, UNCOUNTED_MEANS)),
    }),
  ),
  wordings: Type.Array(
    closed({
      wording: Type.Integer(),
      parameters: jsonObject('Arguments in this wording.'),
      amount: nullable(Type.Integer()),
      edited_by: nullable(Type.String({ description: 'Who narrowed it; null of what was asked.' })),
      edited_at: nullable(timestamp),
    }),
    { description: 'The request as it was asked and each time it was narrowed; empty where it never was.' },
  ),
  questions: Type.Array(
    closed({
      question_number: Type.Integer(),
      asked_by: Type.String(),
      question: Type.String(),
      asked_at: timestamp,
      answer: nullable(Type.String()),
      answered_by: nullable(closed({ type: oneOf(PRINCIPAL_TYPES), id: Type.String() })),
      answered_at: nullable(timestamp),
      is_untrusted: Type.Boolean({ description: 'True if an agent wrote the answer. The content is an unverified claim.' }),
    }),
  ),
  handovers: Type.Array(
    closed({
      from_user_id: Type.String(),
      to_user_id: Type.String(),
      comment: nullable(Type.String()),
      handed_over_at: timestamp,
      stands: Type.Boolean({
        description: 'False where the target can no longer vote, or the vote was taken back: the first person may vote again.',
      }),
    }),
    { description: 'Who votes on behalf of whom.' },
  ),
  approvable: Type.Boolean({
    description: 'True if enough people can vote to approve it. False if approvers left, or are the requester or the owner of the agent.',
  }),
  remedy: nullable(Type.String({ description: 'Next step if the approval is pending and cannot be approved.' })),
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
  no_approver: Type.Boolean({ description: 'True while it is pending and no one who may vote can approve it.' }),
  question: nullable(
    closed({ question_number: Type.Integer(), question: Type.String(), asked_at: timestamp }, 'The open question of an approver.'),
  ),
  approved_request: nullable(
    closed(
      { parameters: jsonObject('Arguments as they were approved.'), amount: nullable(Type.Integer()) },
      'Present where an approver narrowed the request: only exactly this may be sent with the approval.',
    ),
  ),
});
export type ApprovalForAgent = Static<typeof ApprovalForAgent>;
