import { LIMITS } from '@svc/contract/tables/limits.ts';
import { countersOf } from '@svc/enforcement/facts/claims.ts';
import type { DecisionRecord } from '@svc/enforcement/ports/ports.ts';
import type { ConnectionSettings } from '../connection/connect.ts';
import type { Batcher } from './batches/batcher.ts';
import { overLanes } from './batches/over-lanes.ts';
import { beginSessions, type NewAgentSession, type SessionOutcome } from './begin-sessions.ts';
import { checkEpochs, type EpochQuestion } from './check-epochs.ts';
import type { EventRows } from './event-rows.ts';
import { openPreparedConnection } from './prepared-connection.ts';
import { type BatchOutcome, newRecordBatch } from './record-batch.ts';
import { type ClaimedOutcome, newRecordClaims, RECORD_CLAIMS } from './record-claims.ts';
import { RECORD_DECISIONS, RECORD_KEYED_DECISIONS } from './record-decisions.ts';
import { newRecordOutcomes, type OutcomeRow, type OutcomeStands, RECORD_OUTCOMES } from './record-outcomes.ts';

/** What waits apart, each on connections of its own; `doubts` are questions about epochs of whoever is not proven to be somebody. */
export const RECORDER_QUEUES = ['decisions', 'claims', 'outcomes', 'sessions', 'epochs', 'doubts'] as const;
export type RecorderQueue = (typeof RECORDER_QUEUES)[number];

/** Told of each batch that is sent, by its queue and its rows. */
export type OnBatch = (queue: RecorderQueue, rows: number) => void;

export type Queues = {
  readonly decisions: Batcher<DecisionRecord, BatchOutcome>;
  readonly claims: Batcher<DecisionRecord, ClaimedOutcome>;
  readonly outcomes: Batcher<OutcomeRow, OutcomeStands>;
  readonly sessions: Batcher<NewAgentSession, SessionOutcome>;
  readonly epochs: Batcher<EpochQuestion, boolean>;
  readonly doubts: Batcher<EpochQuestion, boolean>;
  /** Opens what records and has its statements planned, so that whoever comes first, or beside others, waits for neither. */
  readonly warm: () => Promise<void>;
  readonly closeConnections: () => Promise<void>;
};

/** Questions of strangers wait by where they come from. */
const OF_STRANGERS = {
  keyOf: ({ unproven = '' }: EpochQuestion) => unproven,
  queuedMax: LIMITS.recording.unprovenQueuedMax,
  queuedPerKeyMax: LIMITS.recording.unprovenQueuedPerAddressMax,
};

const ofDecisions = {
  keyOf: ({ action }: DecisionRecord) => action.organization_id,
  charsOf: ({ action }: DecisionRecord) => action.parameters_json.length + action.explanation_json.length,
};
/** A counter takes the database as long as so many characters and more, and others wait for those that count on the same. */
const CHARS_OF_COUNTER = LIMITS.recording.batchCharsMax / LIMITS.recording.batchCountersMax;

const ofClaims = {
  ...ofDecisions,
  charsOf: (record: DecisionRecord) => ofDecisions.charsOf(record) + countersOf(record.claims) * CHARS_OF_COUNTER,
};
const ofOthers = { keyOf: ({ organization_id }: { readonly organization_id: string }) => organization_id };
const ofOutcomes = { ...ofOthers, charsOf: ({ execution }: OutcomeRow) => execution.length };

/** How events are sent, and how long what is executed is held after the time of its call. */
export type QueueTerms = { readonly eventRows: EventRows; readonly afterCallMs: number; readonly onBatch?: OnBatch | undefined };

const NO_ROWS = '{}';

/** The queues of the recorder with their connections, which are opened as the recorder's role when they are first needed. */
export const openQueues = (settings: ConnectionSettings, { eventRows, afterCallMs, onBatch }: QueueTerms): Queues => {
  const open = (count: number) => Array.from({ length: count }, () => openPreparedConnection(settings));
  const { lanesCount } = LIMITS.recording;
  const [lanes, counting, closing] = [open(lanesCount), open(lanesCount), open(lanesCount)];
  const [questions, sessions] = [openPreparedConnection(settings), openPreparedConnection(settings)];
  // Half of the time is for the queue and half for the statement, so that whoever is answered late is answered within all of it.
  const waitMsMax = Math.floor(settings.timeoutMs / 2);
  const shared = (queue: RecorderQueue) => ({ waitMsMax, onBatch: onBatch && ((rows: number) => onBatch(queue, rows)) });
  const askEpochs = [(asked: readonly EpochQuestion[]) => checkEpochs(questions, asked)];
  const begin = [(begun: readonly NewAgentSession[]) => beginSessions(sessions, begun)];
  let isClosed = false;
  const firstRuns = [
    ...lanes.flatMap((lane) => [RECORD_DECISIONS, RECORD_KEYED_DECISIONS].map((each) => () => lane.run(each, [NO_ROWS, '{}']))),
    ...counting.map((lane) => () => lane.run(RECORD_CLAIMS, [NO_ROWS, '[]', '{}'])),
    ...closing.map((lane) => () => lane.run(RECORD_OUTCOMES, [NO_ROWS, '{}', '{}'])),
  ];
  const warm = async (): Promise<void> => {
    for (const run of firstRuns) if (!isClosed) await run();
  };
  return {
    decisions: overLanes(
      lanes.map((lane) => newRecordBatch(lane, eventRows, afterCallMs)),
      { ...ofDecisions, ...shared('decisions'), besideMax: 1 },
    ),
    claims: overLanes(
      counting.map((lane) => newRecordClaims(lane, eventRows, afterCallMs)),
      { ...ofClaims, ...shared('claims'), besideMax: 1 },
    ),
    outcomes: overLanes(
      closing.map((lane) => newRecordOutcomes(lane, eventRows)),
      { ...ofOutcomes, ...shared('outcomes'), besideMax: 1 },
    ),
    sessions: overLanes(begin, { ...ofOthers, ...shared('sessions') }),
    epochs: overLanes(askEpochs, { ...ofOthers, ...shared('epochs') }),
    doubts: overLanes(askEpochs, { ...OF_STRANGERS, ...shared('doubts') }),
    warm,
    closeConnections: async () => {
      isClosed = true;
      await Promise.all([...lanes, ...counting, ...closing, questions, sessions].map((connection) => connection.close()));
    },
  };
};
