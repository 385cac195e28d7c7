import type { ActionRecord } from '@svc/enforcement/ports/ports.ts';
import { maskName } from '../audit/mask-event.ts';
import type { Fields } from './composite.ts';
import type { SentEventRow } from './event-rows.ts';

/** Every column of a recorded action. */
export const ACTION_COLUMNS = {
  organization_id: { type: 'text', read: (a) => a.organization_id },
  id: { type: 'text', read: (a) => a.id },
  environment_id: { type: 'text', read: (a) => a.environment_id },
  workspace_id: { type: 'text', read: (a) => a.workspace_id },
  agent_id: { type: 'text', read: (a) => a.agent_id },
  agent_name: { type: 'text', read: (a) => a.agent_name },
  tool_id: { type: 'text', read: (a) => a.tool_id },
  tool: { type: 'text', read: (a) => a.tool },
  principal_type: { type: 'text', read: (a) => a.principal_type },
  principal_id: { type: 'text', read: (a) => a.principal_id },
  decision: { type: 'text', read: (a) => a.decision },
  status: { type: 'text', read: (a) => a.status },
  mode: { type: 'text', read: (a) => a.mode },
  code: { type: 'text', read: (a) => a.code },
  reason: { type: 'text', read: (a) => a.reason },
  amount: { type: 'bigint', read: (a) => a.amount },
  currency: { type: 'text', read: (a) => a.currency },
  destination: { type: 'text', read: (a) => a.destination },
  parameters: { type: 'json', read: (a) => a.parameters_json },
  explanation: { type: 'json', read: (a) => a.explanation_json },
  execution: { type: 'json', read: (a) => a.execution_json },
  approval_id: { type: 'text', read: (a) => a.approval_id },
  request_id: { type: 'text', read: (a) => a.request_id },
  trace_id: { type: 'text', read: (a) => a.trace_id },
  idempotency_key: { type: 'text', read: (a) => a.idempotency_key },
  idempotency_hash: { type: 'bytea', read: (a) => a.idempotency_hash },
  environment_epoch: { type: 'bigint', read: (a) => a.environment_epoch },
  agent_epoch: { type: 'bigint', read: (a) => a.agent_epoch },
  created_at: { type: 'timestamptz', read: (a) => a.created_at },
  completed_at: { type: 'timestamptz', read: (a) => a.completed_at },
  declaration_version: { type: 'bigint', read: (a) => a.declaration_version },
  request_hmac: { type: 'bytea', read: (a) => a.request_hmac },
  digest_salt: { type: 'bytea', read: (a) => a.digest_salt },
} as const satisfies Fields<ActionRecord>;

/** The fields of `recorded_action`, of which the last holds its events. */
export const DECISION_FIELDS: Fields<ActionRecord> = {
  ...ACTION_COLUMNS,
  principal_name: { type: 'text', read: (a) => a.principal_name && maskName(a.principal_name) },
};

/** The fields of `recorded_event`: the event's own; the others come from its action. */
export const EVENT_FIELDS: Fields<SentEventRow> = {
  id: { type: 'text', read: (event) => event.id },
  type: { type: 'text', read: (event) => event.type },
  severity: { type: 'text', read: (event) => event.severity },
  data: { type: 'json', read: (event) => event.data },
  leaf_hash: { type: 'bytea', read: (event) => event.leaf_hash },
  mac: { type: 'bytea', read: (event) => event.mac },
};
