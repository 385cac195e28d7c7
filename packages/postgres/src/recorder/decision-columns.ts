import { EVENTS } from '@svc/contract/events.ts';
import type { ActionRecord, EventRecord } from '@svc/enforcement/ports.ts';
import type { SentColumns } from './sent-columns.ts';

const numberText = (value: number | null): string | null => (value === null ? null : String(value));

/** Every column of a recorded action. */
export const ACTION_COLUMNS: SentColumns<ActionRecord> = {
  id: { as: 'text', read: (a) => a.id },
  organization_id: { as: 'text', read: (a) => a.organization_id },
  environment_id: { as: 'text', read: (a) => a.environment_id },
  workspace_id: { as: 'text', read: (a) => a.workspace_id },
  agent_id: { as: 'text', read: (a) => a.agent_id },
  agent_name: { as: 'text', read: (a) => a.agent_name },
  tool_id: { as: 'text', read: (a) => a.tool_id },
  tool: { as: 'text', read: (a) => a.tool },
  principal_type: { as: 'text', read: (a) => a.principal_type },
  principal_id: { as: 'text', read: (a) => a.principal_id },
  decision: { as: 'text', read: (a) => a.decision },
  status: { as: 'text', read: (a) => a.status },
  mode: { as: 'text', read: (a) => a.mode },
  code: { as: 'text', read: (a) => a.code },
  reason: { as: 'text', read: (a) => a.reason },
  amount: { as: 'text', cast: 'bigint', read: (a) => numberText(a.amount) },
  currency: { as: 'text', read: (a) => a.currency },
  destination: { as: 'text', read: (a) => a.destination },
  parameters: { as: 'json', read: (a) => a.parameters_json },
  explanation: { as: 'json', read: (a) => a.explanation_json },
  execution: { as: 'json', read: (a) => a.execution_json },
  approval_id: { as: 'text', read: (a) => a.approval_id },
  request_id: { as: 'text', read: (a) => a.request_id },
  trace_id: { as: 'text', read: (a) => a.trace_id },
  idempotency_key: { as: 'text', read: (a) => a.idempotency_key },
  idempotency_hash: { as: 'text', cast: 'bytea', read: (a) => a.idempotency_hash && `\\x${a.idempotency_hash}` },
  environment_epoch: { as: 'text', cast: 'bigint', read: (a) => numberText(a.environment_epoch) },
  agent_epoch: { as: 'text', cast: 'bigint', read: (a) => numberText(a.agent_epoch) },
  created_at: { as: 'text', cast: 'timestamptz', read: (a) => a.created_at },
  completed_at: { as: 'text', cast: 'timestamptz', read: (a) => a.completed_at },
};

/** An event of a batch, with the action it tells of. */
export type Told = { readonly event: EventRecord; readonly action: ActionRecord };

/** What an event has of its own; the rest is its action's. */
export const EVENT_COLUMNS: SentColumns<Told> = {
  id: { as: 'text', read: ({ event }) => event.id },
  action_id: { as: 'text', read: ({ action }) => action.id },
  type: { as: 'text', read: ({ event }) => event.type },
  actor_name: { as: 'text', read: ({ action }) => action.principal_name },
  severity: { as: 'text', read: ({ event }) => EVENTS[event.type].severity },
  data: { as: 'json', read: ({ event }) => JSON.stringify(event.data) },
};
