import {
  buildRecordDocument,
  formatColumnText,
  type RecordDocument,
  type RecordRow,
} from '@svc/domain/events/audit-log/record-document.ts';
import { ACTION } from '@svc/domain/events/audit-log/record-kinds/action.ts';
import type { RecordPart } from '@svc/domain/events/audit-log/record-kinds/record-kind.ts';
import type { ActionRecord, DecisionRecord, EventRecord } from '@svc/enforcement/ports/ports.ts';
import { ACTION_COLUMNS } from './decision-fields.ts';
import { getReleaseTime, type OutcomeRow } from './record-outcomes.ts';

/** Digests a document: SHA-256 of its canonical JSON, in hex. */
export type DigestDocument = (document: RecordDocument) => string;

/** Members of the data of an event that covers an action. */
type Members = Readonly<Record<string, string | number>>;

const [DECISION, OUTCOME] = ACTION.parts;
const DECIDED: ReadonlySet<string> = new Set(DECISION.writtenWith);
const ENDED: ReadonlySet<string> = new Set(OUTCOME.writtenWith);

const isOfRecord = (name: string): name is keyof typeof ACTION_COLUMNS => Object.hasOwn(ACTION_COLUMNS, name);

const decisionColumns = Object.keys(DECISION.versions[DECISION.version]).flatMap((name) =>
  isOfRecord(name) ? [{ name, ...ACTION_COLUMNS[name] }] : [],
);

/** Data for a digest in addition to the covered columns. `digest_revision` is that of the row before the change. */
type Covered = Pick<ActionRecord, 'organization_id' | 'id' | 'digest_salt' | 'digest_revision'>;

const getRow = ({ organization_id, id, digest_salt }: Covered, columns: RecordRow['columns']): RecordRow => ({
  organization_id,
  id,
  salt: digest_salt,
  columns,
});

/** The state of an action at one revision, except for its decision. */
type State = Pick<ActionRecord, 'code' | 'execution_json' | 'completed_at'> & {
  readonly status: string;
  readonly given_back_at?: string | null;
  readonly revision: number;
};

const outcomeColumns = ({ status, code, execution_json, completed_at, given_back_at = null, revision }: State): RecordRow['columns'] => ({
  code: formatColumnText('text', code),
  completed_at: formatColumnText('timestamptz', completed_at),
  digest_revision: formatColumnText('bigint', revision),
  execution: formatColumnText('json', execution_json),
  given_back_at: formatColumnText('timestamptz', given_back_at),
  status,
});

const withMembers = (events: readonly EventRecord[], types: ReadonlySet<string>, members: Members): readonly EventRecord[] =>
  events.map((event) => (types.has(event.type) ? { ...event, data: { ...event.data, ...members } } : event));

/** The digests of actions, in the events that a recorder writes with them. */
export const newEventDigests = (digestDocument: DigestDocument) => {
  const digest = (part: RecordPart, action: Covered, columns: RecordRow['columns']): string => {
    const document = buildRecordDocument(ACTION, part, part.version, getRow(action, columns));
    if (document === undefined) throw new Error('a digest version is written that has no columns');
    return digestDocument(document);
  };
  const outcome = (action: Covered, state: State): Members => ({
    outcome_digest: digest(OUTCOME, action, outcomeColumns(state)),
    digest_version: OUTCOME.version,
    digest_revision: state.revision,
  });
  const ofRow = (row: RecordRow): Members => {
    const members: Record<string, string | number> = { digest_revision: Number(row.columns.digest_revision) };
    for (const part of ACTION.parts) {
      const document = buildRecordDocument(ACTION, part, part.version, row);
      if (document !== undefined) members[part.digest] = digestDocument(document);
      members.digest_version = part.version;
    }
    return members;
  };
  return {
    /** For a decision that continues a held action, with its row after the decision. */
    ofContinued: (record: DecisionRecord, row: RecordRow): DecisionRecord => ({
      ...record,
      events: withMembers(record.events, DECIDED, { request_hmac: record.action.request_hmac, ...ofRow(row) }),
    }),
    /** For a decision that creates a row. */
    ofDecision: (record: DecisionRecord): DecisionRecord => {
      const { action, events } = record;
      const columns: Record<string, string | null> = {};
      for (const { name, type, read } of decisionColumns) columns[name] = formatColumnText(type, read(action));
      const members = {
        request_hmac: action.request_hmac,
        decision_digest: digest(DECISION, action, columns),
        ...outcome(action, { ...action, revision: 0 }),
      };
      return { ...record, events: withMembers(events, DECIDED, members) };
    },
    /** For the outcome of a recorded action. */
    ofOutcome: <Row extends OutcomeRow>(action: Covered, row: Row): Row => {
      const { status, code, execution, completed_at } = row;
      const state = { status, code, execution_json: execution, completed_at, given_back_at: getReleaseTime(row) };
      return { ...row, events: withMembers(row.events, ENDED, outcome(action, { ...state, revision: action.digest_revision + 1 })) };
    },
  };
};

export type EventDigests = ReturnType<typeof newEventDigests>;
