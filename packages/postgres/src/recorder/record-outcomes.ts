import type { Outcome } from '@svc/enforcement/ports/ports.ts';
import { appendEventsText } from '../audit/append-events.ts';
import { maskName, toldJson } from '../audit/mask-told.ts';
import { severityOf } from '../audit/severity-of.ts';
import type { PreparedConnection, PreparedStatement } from './prepared-connection.ts';

/** An outcome and its event as they are written, and nothing of the decision that nobody needs any more. Times are ISO 8601, JSON is text. */
export type OutcomeRow = {
  readonly organization_id: string;
  readonly id: string;
  readonly agent_id: string;
  readonly status: string;
  readonly code: string | null;
  readonly execution: string;
  readonly completed_at: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly severity: string;
  readonly workspace_id: string;
  readonly environment_id: string;
  readonly principal_type: string;
  readonly principal_id: string;
  readonly principal_name: string | null;
  readonly request_id: string;
  readonly trace_id: string;
  readonly data: string;
  /** Of the event that is told besides, if one is. */
  readonly security_id: string | null;
  readonly security_data: string | null;
};

/** `again`: an earlier attempt is under way still, and what comes of it is not known yet. `missing`: there is no such action. */
export type OutcomeStands = 'recorded' | 'closed' | 'again' | 'missing';

export const outcomeRow = ({ action: a, status, code, execution, event, security, completed_at }: Outcome): OutcomeRow => ({
  organization_id: a.organization_id,
  id: a.id,
  agent_id: a.agent_id,
  status,
  code: code ?? a.code,
  execution: JSON.stringify(execution),
  completed_at,
  event_id: event.id,
  event_type: event.type,
  severity: severityOf(event.type),
  workspace_id: a.workspace_id,
  environment_id: a.environment_id,
  principal_type: a.principal_type,
  principal_id: a.principal_id,
  principal_name: a.principal_name && maskName(a.principal_name),
  request_id: a.request_id,
  trace_id: a.trace_id,
  data: toldJson(event.data),
  security_id: security?.id ?? null,
  security_data: security === undefined ? null : toldJson(security.data),
});

const COLUMNS = [
  ...(['organization_id', 'id', 'agent_id', 'status', 'code', 'execution', 'completed_at', 'event_id', 'event_type', 'severity'] as const),
  ...(['workspace_id', 'environment_id', 'principal_type', 'principal_id', 'principal_name', 'request_id', 'trace_id', 'data'] as const),
  ...(['security_id', 'security_data'] as const),
] satisfies readonly (keyof OutcomeRow)[];

/** Each outcome that closes its action with its event, and with that of a call stopped for where it went. */
const TOLD = `sent s cross join lateral (
        select v.id, v.type, v.severity, v.data::json as data from (values (s.event_id, s.event_type, s.severity, s.data),
          (s.security_id, 'security.destination_blocked', '${severityOf('security.destination_blocked')}', s.security_data)) as v (id, type, severity, data)
         where v.id is not null) as e
       where s.n in (select n from closed)`;

const sentArrays = COLUMNS.map((_, index) => `$${index + 1}::text[]`).join(', ');

/**
 * Rows are looked up by their keys, which is said in more than one way: a plan is kept that was made when the table was empty, and any index
 * looked as good as any other.
 *
 * How executed actions went, each with its event, in one statement; JSON travels as text, since what a downstream said may hold what only
 * JSON that is not looked into can. Of an action that was closed already nothing is written. The row as it stood before tells whether
 * that was this very outcome, whose answer was lost on its way.
 */
const RECORD_OUTCOMES: PreparedStatement = {
  name: 'record_outcomes',
  text: `with sent as materialized (
      select s.*, 'EXECUTING' as was from unnest(${sentArrays}) with ordinality as s (${COLUMNS.join(', ')}, n)
    ), closed as (
      update actions a set status = s.status, code = s.code, execution = s.execution::json, completed_at = s.completed_at::timestamptz
        from sent s where a.organization_id = s.organization_id and a.id = s.id and a.status = s.was
         and a.organization_id = any($1) and a.id = any($2) and a.agent_id = any($3)
      returning s.n
    ), told as (
      ${appendEventsText({ action: 's', event: 'e', at: 's.completed_at::timestamptz', rows: TOLD })}
    )
    select s.n::int as n, s.n in (select n from closed) as closed_now, stood.status, stood.completed_at = s.completed_at::timestamptz as same_time
      from sent s left join lateral (
        select a.status, a.completed_at from actions a where a.organization_id = s.organization_id and a.agent_id = s.agent_id and a.id = s.id limit 1) as stood on true`,
};

type Row = { readonly n: number; readonly closed_now: boolean; readonly status: string | null; readonly same_time: boolean | null };

const standsOf = (sent: OutcomeRow, row: Row | undefined): OutcomeStands => {
  if (row === undefined || row.status === null) return 'missing';
  if (row.closed_now) return 'recorded';
  if (row.status === 'EXECUTING') return 'again';
  return row.status === sent.status && row.same_time === true ? 'recorded' : 'closed';
};

/** One action is in a batch once. */
export const recordOutcomes = async (connection: PreparedConnection, outcomes: readonly OutcomeRow[]): Promise<OutcomeStands[]> => {
  const values = COLUMNS.map((column) => outcomes.map((outcome) => outcome[column]));
  const rows = new Map((await connection.run<Row>(RECORD_OUTCOMES, values)).map((row) => [row.n, row]));
  return outcomes.map((outcome, index) => standsOf(outcome, rows.get(index + 1)));
};
