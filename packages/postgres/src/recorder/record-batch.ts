import { EVENTS } from '@svc/contract/events.ts';
import type { DecisionRecord, RecordOutcome } from '@svc/enforcement/ports.ts';
import type { PreparedConnection, PreparedStatement } from './prepared-connection.ts';

/**
 * One statement for a whole batch: a decision is written only if both epochs it was made at are still the newest, together with its
 * events. What is not among the ids that come back was made on a state that has moved.
 */
const RECORD_DECISIONS: PreparedStatement = {
  name: 'record_decisions',
  text: `with fenced as materialized (
    select i.* from json_to_recordset($1::json) as i (
      organization_id text, id text, environment_id text, workspace_id text, agent_id text, agent_name text, tool_id text, tool text,
      principal_type text, principal_id text, principal_name text, decision text, status text, mode text, code text, reason text,
      amount bigint, currency text, destination text, parameters json, explanation json, execution json, approval_id text,
      request_id text, trace_id text, environment_epoch bigint, agent_epoch bigint, created_at timestamptz, completed_at timestamptz,
      events json)
    join environment_epochs e on e.organization_id = i.organization_id and e.environment_id = i.environment_id
      and e.workspace_id = i.workspace_id and e.epoch = i.environment_epoch
    join agent_epochs a on a.organization_id = i.organization_id and a.agent_id = i.agent_id
      and a.environment_id = i.environment_id and a.epoch = i.agent_epoch
  ), recorded as (
    insert into actions (organization_id, id, environment_id, workspace_id, agent_id, agent_name, tool_id, tool, principal_type,
      principal_id, decision, status, mode, code, reason, amount, currency, destination, parameters, explanation, execution, approval_id,
      request_id, trace_id, environment_epoch, agent_epoch, created_at, completed_at)
    select organization_id, id, environment_id, workspace_id, agent_id, agent_name, tool_id, tool, principal_type,
      principal_id, decision, status, mode, code, reason, amount, currency, destination, parameters, explanation, execution, approval_id,
      request_id, trace_id, environment_epoch, agent_epoch, created_at, completed_at from fenced
  ), told as (
    insert into audit_events (organization_id, id, type, occurred_at, workspace_id, environment_id, actor_type, actor_id, actor_name,
      subject_type, subject_id, severity, request_id, trace_id, data)
    select f.organization_id, v.id, v.type, f.created_at, f.workspace_id, f.environment_id, f.principal_type, f.principal_id,
      f.principal_name, 'action', f.id, v.severity, f.request_id, f.trace_id, v.data
      from fenced f, json_to_recordset(f.events) as v (id text, type text, severity text, data json)
  )
  select id from fenced`,
};

const rowText = ({ action, events }: DecisionRecord): string => {
  const { parameters_json, explanation_json, execution_json, idempotency_key, idempotency_hash, ...columns } = action;
  const told = events.map(({ id, type, data }) => ({ id, type, severity: EVENTS[type].severity, data }));
  return `${JSON.stringify({ ...columns, events: told }).slice(0, -1)},"parameters":${parameters_json},"explanation":${explanation_json},"execution":${execution_json ?? 'null'}}`;
};

const RECORDED: RecordOutcome = { outcome: 'recorded' };
const MOVED: RecordOutcome = { outcome: 'moved' };

export const recordBatch = async (connection: PreparedConnection, records: readonly DecisionRecord[]): Promise<RecordOutcome[]> => {
  const rows = await connection.run<{ id: string }>(RECORD_DECISIONS, [`[${records.map(rowText).join(',')}]`]);
  const recorded = new Set(rows.map((row) => row.id));
  return records.map((record) => (recorded.has(record.action.id) ? RECORDED : MOVED));
};
