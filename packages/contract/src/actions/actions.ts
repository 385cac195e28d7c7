import { type Static, Type } from 'typebox';
import { RecordDocument } from '../events/audit-export.ts';
import { RECORD_STATUSES } from '../events/audit-log.ts';
import { defineEndpoint } from '../rows/endpoint.ts';
import { amount, closedObject, currency, cursorPage, enumSchema, id, jsonObject, nullable, timestamp } from '../rows/schema.ts';
import { ACTION_STATUSES, EFFECTS, MODES, PRINCIPAL_TYPES } from '../tables/vocabulary.ts';
import { actionRefusals } from './action-refusals.ts';
import { Decision, Execution, Explanation } from './decisions.ts';

const parameters = jsonObject('Arguments of the tool, at most 64 KiB.');
const tool = Type.String({ minLength: 1, maxLength: 100, description: 'Name or id of the tool.' });
const request = {
  tool,
  parameters: Type.Optional(parameters),
  amount: Type.Optional(amount),
  currency: Type.Optional(currency),
  destination: Type.Optional(
    Type.String({ minLength: 1, maxLength: 2000, description: 'Host, host:port or URL that the action connects to.' }),
  ),
  delegation_id: Type.Optional(id('Delegation that the agent acts under.')),
  approval_id: Type.Optional(id('Approval granted for exactly this request.')),
  dry_run: Type.Optional(Type.Boolean({ description: 'Returns a decision without recording anything.' })),
};
export const ActionRequest = closedObject(request);
export type ActionRequest = Static<typeof ActionRequest>;

const summary = {
  id: id('Action id (act_).'),
  agent_id: Type.String(),
  agent_name: Type.String(),
  workspace_id: Type.String(),
  environment_id: Type.String(),
  tool_id: nullable(Type.String()),
  tool: Type.String(),
  decision: enumSchema(EFFECTS),
  status: enumSchema(ACTION_STATUSES),
  mode: enumSchema(MODES),
  code: nullable(Type.String()),
  reason: Type.String(),
  amount: nullable(Type.Integer()),
  currency: nullable(Type.String()),
  destination: nullable(Type.String()),
  approval_id: nullable(Type.String()),
  request_id: Type.String(),
  trace_id: Type.String(),
  created_at: timestamp,
  completed_at: nullable(timestamp),
};
export const ActionSummary = closedObject(summary);
export type ActionSummary = Static<typeof ActionSummary>;

/** The approval that was used, and its request: a different action with its own ids. */
const UsedApproval = closedObject({
  id: id('Approval id (apr_).'),
  given_by: Type.Optional(
    Type.Array(closedObject({ user_id: Type.String(), user_name: Type.String(), comment: nullable(Type.String()), voted_at: timestamp }), {
      description: 'Approvers whose votes granted the approval. Omitted for agents.',
    }),
  ),
  used_at: nullable(timestamp),
  request_id: nullable(
    Type.String({ description: 'Request that used the approval; null for approvals from releases that did not record it.' }),
  ),
  trace_id: nullable(Type.String()),
});

/** Complete record of one decision. */
export const Action = closedObject({
  ...summary,
  principal: closedObject({ type: enumSchema(PRINCIPAL_TYPES), id: Type.String() }),
  parameters,
  explanation: Explanation,
  execution: nullable(Execution),
  approval: nullable(UsedApproval),
  idempotency_key: nullable(Type.String()),
});
export type Action = Static<typeof Action>;

export const ActionSearch = closedObject({
  cursor: Type.Optional(Type.String({ maxLength: 2000 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  agent_id: Type.Optional(Type.String({ maxLength: 64 })),
  tool: Type.Optional(Type.String({ maxLength: 100, description: 'Name or id of the tool.' })),
  status: Type.Optional(enumSchema(ACTION_STATUSES)),
  decision: Type.Optional(enumSchema(EFFECTS)),
  code: Type.Optional(Type.String({ maxLength: 64 })),
  request_id: Type.Optional(
    Type.String({ maxLength: 64, description: 'Id of the request, or of the request that continued it after approval.' }),
  ),
  environment_id: Type.Optional(Type.String({ maxLength: 64 })),
  mode: Type.Optional(enumSchema(MODES)),
  approval_id: Type.Optional(Type.String({ maxLength: 64, description: 'Approval that the request was held for.' })),
  reason: Type.Optional(Type.String({ maxLength: 1000, description: 'Exact reason of the decision.' })),
  policy_id: Type.Optional(Type.String({ maxLength: 64, description: 'Policy of the rule that decided.' })),
  rule: Type.Optional(Type.String({ maxLength: 64, description: 'Id of the rule that decided.' })),
  delegation_id: Type.Optional(Type.String({ maxLength: 64, description: 'Delegation in the authority of the request.' })),
  amount_min: Type.Optional({ ...amount, description: 'Only amounts of at least this many minor units.' }),
  amount_max: Type.Optional({ ...amount, description: 'Only amounts of at most this many minor units.' }),
  from: Type.Optional(Type.String({ maxLength: 24, description: 'Only results at or after this time.' })),
  to: Type.Optional(Type.String({ maxLength: 24, description: 'Only results before this time.' })),
});
export type ActionSearch = Static<typeof ActionSearch>;

/** How a record compares with the event of a receipt. */
export const RECEIPT_STATUSES = [...RECORD_STATUSES, 'REPLACED'] as const;

export const actionEndpoints = {
  searchActions: defineEndpoint({
    plane: 'control',
    area: 'actions',
    method: 'GET',
    path: '/v1/actions',
    summary: 'Search decisions, newest first.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['action:read'],
    query: ActionSearch,
    result: cursorPage(ActionSummary),
    emits: [],
    refuses: ['VALIDATION_FAILED'],
  }),
  getAction: defineEndpoint({
    plane: 'control',
    area: 'actions',
    method: 'GET',
    path: '/v1/actions/{actionId}',
    summary: 'Get a decision with its full lineage and explanation.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['action:read'],
    result: Action,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  getActionReceipt: defineEndpoint({
    plane: 'control',
    area: 'actions',
    method: 'GET',
    path: '/v1/actions/{actionId}/receipt',
    summary: 'Get a signed receipt of the decision. Anyone with the platform key can verify it offline.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['action:read', 'audit:read'],
    result: closedObject({
      action_id: Type.String(),
      event_id: Type.String({ description: 'Event that records the decision.' }),
      receipt: Type.String({ description: 'Compact JWS (EdDSA) of the event, its proof of inclusion and the checkpoint.' }),
      record: closedObject({
        status: enumSchema(RECEIPT_STATUSES, 'Result of comparing the record with the event; REPLACED if a later event covers the record.'),
        documents: Type.Array(RecordDocument, {
          description: 'Input of the digests in the event. Send it with the receipt to disclose its content.',
        }),
      }),
    }),
    emits: [],
    refuses: ['NOT_FOUND', 'CONFLICT'],
  }),
  evaluateAction: defineEndpoint({
    plane: 'control',
    area: 'actions',
    method: 'POST',
    path: '/v1/actions/evaluate',
    summary: 'Run the enforcement pipeline for an agent. Decides and records, but never executes.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['action:evaluate'],
    idempotent: true,
    body: closedObject({ agent_id: id('Agent that the decision is for.'), ...request }),
    result: Decision,
    writesNothing: 'dry_run',
    emits: [
      'action.requested',
      'action.allowed',
      'action.blocked',
      'action.limited',
      'action.masked',
      'action.approval_required',
      'action.observed',
      'action.simulated',
      'approval.requested',
      'security.destination_blocked',
    ],
    refuses: [
      'NOT_FOUND',
      'VALIDATION_FAILED',
      'IDEMPOTENCY_KEY_REUSED',
      'RATE_LIMITED',
      'IDENTITY_SERVICE_UNAVAILABLE',
      'POLICY_SERVICE_UNAVAILABLE',
      'APPROVAL_SERVICE_UNAVAILABLE',
      'AUDIT_SERVICE_UNAVAILABLE',
      'DEPENDENCY_UNAVAILABLE',
    ],
    automation: 'ALLOWED',
  }),
  act: defineEndpoint({
    plane: 'gateway',
    area: 'actions',
    method: 'POST',
    path: '/gateway/v1/actions',
    fromConsole: true,
    summary: 'Request a protected action, which is decided, recorded and, if allowed, executed.',
    credential: 'agent',
    budget: 'agent',
    sessionCheckedBy: 'pipeline',
    wire: 'json',
    idempotent: true,
    body: ActionRequest,
    example: { tool: 'refund.create', parameters: { order: 'order-1001', amount: 20_000, currency: 'USD' } },
    result: Decision,
    writesNothing: 'dry_run',
    emits: [
      'action.requested',
      'action.allowed',
      'action.blocked',
      'action.limited',
      'action.masked',
      'action.approval_required',
      'action.observed',
      'action.simulated',
      'action.completed',
      'action.failed',
      'approval.requested',
      'approval.restored',
      'credential.issued',
      'security.destination_blocked',
      'mcp.tool_invoked',
      'a2a.interaction_allowed',
      'a2a.interaction_blocked',
    ],
    refuses: [
      ...actionRefusals,
      'CONFLICT',
      'EXECUTION_FAILED',
      'EXECUTION_TIMEOUT',
      'INVALID_CREDENTIAL_REFERENCE',
      'CREDENTIAL_SERVICE_UNAVAILABLE',
    ],
  }),
  getOwnAction: defineEndpoint({
    plane: 'gateway',
    area: 'actions',
    method: 'GET',
    path: '/gateway/v1/actions/{actionId}',
    summary: 'Get an action of this agent.',
    credential: 'agent',
    budget: 'agent',
    sessionCheckedBy: 'door',
    wire: 'json',
    result: Action,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  reportOutcome: defineEndpoint({
    plane: 'gateway',
    area: 'actions',
    method: 'POST',
    path: '/gateway/v1/actions/{actionId}/outcome',
    summary: 'Report the outcome of an action that the agent executed itself.',
    credential: 'agent',
    budget: 'agent',
    sessionCheckedBy: 'door',
    wire: 'json',
    body: closedObject({
      status: enumSchema(['COMPLETED', 'FAILED']),
      result: Type.Optional(Type.Unknown()),
      error: Type.Optional(Type.String({ maxLength: 2000 })),
    }),
    result: Action,
    byAnyClock: true,
    emits: ['action.completed', 'action.failed'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
  }),
};
