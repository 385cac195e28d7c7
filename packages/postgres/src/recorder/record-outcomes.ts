import type { EventRecord, GivenBack, RecordedOutcome } from '@svc/enforcement/ports/ports.ts';
import { formatAppendEventsText } from '../audit/append-events.ts';
import { maskName } from '../audit/mask-event.ts';
import { type Fields, writeArray, writeFields } from './composite.ts';
import { writeEvents } from './encode-decisions.ts';
import type { EventAction, EventRows } from './event-rows.ts';
import type { PreparedConnection, PreparedStatement } from './prepared-connection.ts';
import { newWireBytes, type WireBytes } from './wire-bytes.ts';

/** An outcome and its events as written, without the parts of the decision that are no longer needed. Times are ISO 8601, JSON is text. */
export type OutcomeRow = EventAction & {
  readonly agent_id: string;
  readonly status: string;
  readonly code: string | null;
  readonly execution: string;
  readonly completed_at: string;
  /** The epoch of its decision. */
  readonly environment_epoch: number;
  readonly agent_epoch: number;
  /** The outcome event, and if reported, a stop for its destination. */
  readonly events: readonly EventRecord[];
  /** Null for an outcome that gives nothing back; any other is written by itself. */
  readonly givesBack: GivenBack | null;
};

/** Returns when an action gave back an approval or uses of counters; null if neither. */
export const getReleaseTime = ({ givesBack, completed_at }: Pick<OutcomeRow, 'givesBack' | 'completed_at'>): string | null =>
  givesBack !== null && (givesBack.approval !== null || givesBack.claims.length > 0) ? completed_at : null;

/**
 * `overtaken`: recorded, and an epoch of its decision is no longer the newest. `again`: an earlier attempt is still in progress, with an
 * unknown result. `missing`: there is no such action.
 */
export type OutcomeStands = 'recorded' | 'overtaken' | 'closed' | 'again' | 'missing';

export const buildOutcomeRow = ({
  action: a,
  status,
  code,
  execution,
  event,
  more = [],
  completed_at,
  givesBack = null,
}: RecordedOutcome): OutcomeRow => ({
  organization_id: a.organization_id,
  id: a.id,
  agent_id: a.agent_id,
  status,
  code: code ?? a.code,
  execution: JSON.stringify(execution),
  completed_at,
  workspace_id: a.workspace_id,
  environment_id: a.environment_id,
  principal_type: a.principal_type,
  principal_id: a.principal_id,
  principal_name: a.principal_name,
  request_id: a.request_id,
  trace_id: a.trace_id,
  environment_epoch: a.environment_epoch,
  agent_epoch: a.agent_epoch,
  events: [event, ...more],
  givesBack,
});

/** The fields of `recorded_outcome` before its events, in its order. */
const OUTCOME_FIELDS = {
  organization_id: { type: 'text', read: (o) => o.organization_id },
  id: { type: 'text', read: (o) => o.id },
  agent_id: { type: 'text', read: (o) => o.agent_id },
  status: { type: 'text', read: (o) => o.status },
  code: { type: 'text', read: (o) => o.code },
  execution: { type: 'json', read: (o) => o.execution },
  completed_at: { type: 'timestamptz', read: (o) => o.completed_at },
  workspace_id: { type: 'text', read: (o) => o.workspace_id },
  environment_id: { type: 'text', read: (o) => o.environment_id },
  principal_type: { type: 'text', read: (o) => o.principal_type },
  principal_id: { type: 'text', read: (o) => o.principal_id },
  principal_name: { type: 'text', read: (o) => o.principal_name && maskName(o.principal_name) },
  request_id: { type: 'text', read: (o) => o.request_id },
  trace_id: { type: 'text', read: (o) => o.trace_id },
} as const satisfies Fields<OutcomeRow>;

const fields = Object.values(OUTCOME_FIELDS);

/** Encodes an array of `recorded_outcome`. It is valid in `bytes` until those are reused. */
const encodeOutcomes = (bytes: WireBytes, outcomes: readonly OutcomeRow[], eventRows: EventRows): Buffer => {
  bytes.begin();
  writeArray(bytes, outcomes, (outcome) => {
    bytes.int32(fields.length + 1);
    writeFields(bytes, fields, outcome);
    writeEvents(bytes, eventRows(outcome, outcome.completed_at, outcome.events));
  });
  return bytes.written();
};

/**
 * Records the outcomes of executed actions, each with its events, in one statement. Each action is looked up once, by itself, and changed
 * in place:
 * that has one plan at every size of the table, also if it grew after planning. Conditions on the row itself are written so
 * that no index serves them. A closed action is left unchanged, and one that is being closed is awaited and left unchanged.
 *
 * The row returns which outcomes were written, and for the others the earlier state of their action: it may be this very outcome, whose
 * response was lost; and whose epochs are still current, so that no separate check is needed.
 */
export const RECORD_OUTCOMES: PreparedStatement = {
  name: 'record_outcomes',
  text: `with sent as materialized (
      select sent.*, stood.place, stood.stood_status, stood.stood_at
        from unnest($1::recorded_outcome[]) with ordinality as sent
        left join lateral (
          select a.ctid as place, a.status as stood_status, a.completed_at as stood_at from actions a
           where a.organization_id = sent.organization_id and a.agent_id = sent.agent_id and a.id = sent.id limit 1) as stood on true
    ), closed as (
      update actions a set status = s.status, code = s.code, execution = s.execution, completed_at = s.completed_at,
             digest_revision = a.digest_revision + 1
        from sent s where a.ctid = s.place and a.id || '' = s.id and a.status || '' = 'EXECUTING'
      returning s.*
    ), told as (
      ${formatAppendEventsText({ action: 's', event: 'event', at: 's.completed_at', rows: 'closed as s cross join lateral unnest(s.events) as event' })}
    )
    select (select string_agg(ordinality::text, ' ') from closed) as closed,
      (select json_agg(json_build_object('place', ordinality, 'status', stood_status, 'same_time', stood_at = completed_at))
         from sent where ordinality not in (select ordinality from closed)) as others,
      (select string_agg(s.ordinality::text, ' ') from sent s
        cross join lateral (select from environment_epochs e where e.organization_id = s.organization_id
          and e.environment_id = s.environment_id and e.epoch = ($2::bigint[])[s.ordinality] limit 1) as here
        cross join lateral (select from agent_epochs g where g.organization_id = s.organization_id and g.agent_id = s.agent_id
          and g.epoch = ($3::bigint[])[s.ordinality] limit 1) as its) as current`,
};

type Other = { readonly place: number; readonly status: string | null; readonly same_time: boolean | null };
type Row = { readonly closed: string | null; readonly others: readonly Other[] | null; readonly current: string | null };

/** Returns the result of an outcome that was not written now, by the earlier state of its action. */
export const resolveOutcomeState = (
  sent: OutcomeRow,
  other: Pick<Other, 'status' | 'same_time'> | undefined,
): Exclude<OutcomeStands, 'overtaken'> => {
  if (other === undefined || other.status === null) return 'missing';
  if (other.status === 'EXECUTING') return 'again';
  return other.status === sent.status && other.same_time === true ? 'recorded' : 'closed';
};

export type RecordOutcomes = (outcomes: readonly OutcomeRow[]) => Promise<OutcomeStands[]>;

/** Over one connection, one batch at a time: the memory of an encoded batch is reused. One action is in a batch once. */
export const newRecordOutcomes = (connection: PreparedConnection, eventRows: EventRows): RecordOutcomes => {
  const bytes = newWireBytes();
  return async (outcomes) => {
    const epochs = [outcomes.map((o) => o.environment_epoch), outcomes.map((o) => o.agent_epoch)];
    const [row] = await connection.run<Row>(RECORD_OUTCOMES, [encodeOutcomes(bytes, outcomes, eventRows), ...epochs]);
    const [closed, current] = [new Set(row?.closed?.split(' ')), new Set(row?.current?.split(' '))];
    return outcomes.map((outcome, index) => {
      const place = String(index + 1);
      const other = () => row?.others?.find((one) => String(one.place) === place);
      const stands = closed.has(place) ? 'recorded' : resolveOutcomeState(outcome, other());
      return stands === 'recorded' && !current.has(place) ? 'overtaken' : stands;
    });
  };
};
