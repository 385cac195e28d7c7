import { EVENTS } from '@svc/contract/events.ts';
import type { ActionRecord, DecisionRecord, EventRecord, RecordOutcome } from '@svc/enforcement/ports.ts';
import { newBinaryArrays } from './binary-arrays.ts';
import type { PreparedConnection, PreparedStatement } from './prepared-connection.ts';
import { elementOf, encodeColumns, type SentColumns } from './sent-columns.ts';

const numberText = (value: number | null): string | null => (value === null ? null : String(value));

const ACTIONS: SentColumns<ActionRecord> = {
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
  environment_epoch: { as: 'text', cast: 'bigint', read: (a) => numberText(a.environment_epoch) },
  agent_epoch: { as: 'text', cast: 'bigint', read: (a) => numberText(a.agent_epoch) },
  created_at: { as: 'text', cast: 'timestamptz', read: (a) => a.created_at },
  completed_at: { as: 'text', cast: 'timestamptz', read: (a) => a.completed_at },
};

/** An event of a batch, with the action it tells of. */
type Told = { readonly event: EventRecord; readonly action: ActionRecord };

const EVENT_COLUMNS: SentColumns<Told> = {
  id: { as: 'text', read: ({ event }) => event.id },
  action_id: { as: 'text', read: ({ action }) => action.id },
  type: { as: 'text', read: ({ event }) => event.type },
  actor_name: { as: 'text', read: ({ action }) => action.principal_name },
  severity: { as: 'text', read: ({ event }) => EVENTS[event.type].severity },
  data: { as: 'json', read: ({ event }) => JSON.stringify(event.data) },
};

const columns = Object.keys(ACTIONS);
const element = elementOf(ACTIONS, 1);
const ofAction = (name: string): string => element(name, 'n');
const elementOfEvent = elementOf(EVENT_COLUMNS, columns.length + 1);
const ofEvent = (name: string): string => elementOfEvent(name, 'k');

/**
 * One statement for a whole batch: a decision is written only if both epochs it was made at are still the newest, together with its
 * events. What is not among the ids that come back was made on a state that has moved.
 */
const RECORD_DECISIONS: PreparedStatement = {
  name: 'record_decisions',
  text: `with fenced as materialized (
    select id, n from unnest($1::text[]) with ordinality as sent (id, n)
    join environment_epochs e on e.organization_id = ${ofAction('organization_id')} and e.environment_id = ${ofAction('environment_id')}
      and e.workspace_id = ${ofAction('workspace_id')} and e.epoch = ${ofAction('environment_epoch')}
    join agent_epochs a on a.organization_id = ${ofAction('organization_id')} and a.agent_id = ${ofAction('agent_id')}
      and a.environment_id = ${ofAction('environment_id')} and a.epoch = ${ofAction('agent_epoch')}
  ), recorded as (
    insert into actions (${columns.join(', ')}) select ${columns.map(ofAction).join(', ')} from fenced
  ), told as (
    insert into audit_events (organization_id, id, type, occurred_at, workspace_id, environment_id, actor_type, actor_id, actor_name,
      subject_type, subject_id, severity, request_id, trace_id, data)
    select ${ofAction('organization_id')}, told.id, ${ofEvent('type')}, ${ofAction('created_at')}, ${ofAction('workspace_id')},
      ${ofAction('environment_id')}, ${ofAction('principal_type')}, ${ofAction('principal_id')}, ${ofEvent('actor_name')},
      'action', fenced.id, ${ofEvent('severity')}, ${ofAction('request_id')}, ${ofAction('trace_id')}, ${ofEvent('data')}
      from unnest($${columns.length + 1}::text[]) with ordinality as told (id, k) join fenced on fenced.id = ${ofEvent('action_id')}
  )
  select id from fenced`,
};

const RECORDED: RecordOutcome = { outcome: 'recorded' };
const MOVED: RecordOutcome = { outcome: 'moved' };

export type RecordBatch = (records: readonly DecisionRecord[]) => Promise<RecordOutcome[]>;

/** Records over one connection, one batch at a time: the memory a batch was encoded in serves the next. */
export const newRecordBatch = (connection: PreparedConnection): RecordBatch => {
  const arrays = newBinaryArrays();
  return async (records) => {
    const actions = records.map((record) => record.action);
    const told = records.flatMap(({ action, events }): Told[] => events.map((event) => ({ event, action })));
    arrays.reuse();
    const parameters = [...encodeColumns(arrays, ACTIONS, actions), ...encodeColumns(arrays, EVENT_COLUMNS, told)];
    const rows = await connection.run<{ id: string }>(RECORD_DECISIONS, parameters);
    const recorded = new Set(rows.map((row) => row.id));
    return actions.map((action) => (recorded.has(action.id) ? RECORDED : MOVED));
  };
};
