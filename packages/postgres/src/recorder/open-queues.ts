import { LIMITS } from '@svc/contract/tables/limits.ts';
import { getCounters } from '@svc/enforcement/facts/claims.ts';
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

/** Separate queues, each with its own connections; `doubts` are epoch checks of unauthenticated requests. */
export const RECORDER_QUEUES = ['decisions', 'claims', 'outcomes', 'sessions', 'epochs', 'doubts'] as const;
export type RecorderQueue = (typeof RECORDER_QUEUES)[number];

/** Called for each batch that is sent, with its queue and its rows. */
export type OnBatch = (queue: RecorderQueue, rows: number) => void;

export type Queues = {
  readonly decisions: Batcher<DecisionRecord, BatchOutcome>;
  readonly claims: Batcher<DecisionRecord, ClaimedOutcome>;
  readonly outcomes: Batcher<OutcomeRow, OutcomeStands>;
  readonly sessions: Batcher<NewAgentSession, SessionOutcome>;
  readonly epochs: Batcher<EpochQuestion, boolean>;
  readonly doubts: Batcher<EpochQuestion, boolean>;
  /** Opens the recorder and prepares its statements, so that no first request waits for that. */
  readonly warm: () => Promise<void>;
  readonly closeConnections: () => Promise<void>;
};

/** Epoch checks of unauthenticated clients are shared by source address. */
const OF_STRANGERS = {
  keyOf: ({ unproven = '' }: EpochQuestion) => unproven,
  queuedMax: LIMITS.recording.unprovenQueuedMax,
  queuedPerKeyMax: LIMITS.recording.unprovenQueuedPerAddressMax,
};

const ofDecisions = {
  keyOf: ({ action }: DecisionRecord) => action.organization_id,
  charsOf: ({ action }: DecisionRecord) => action.parameters_json.length + action.explanation_json.length,
};
/** A counter costs the database as much as this number of characters, and others wait for those with the same counter. */
const CHARS_OF_COUNTER = LIMITS.recording.batchCharsMax / LIMITS.recording.batchCountersMax;

const ofClaims = {
  ...ofDecisions,
  charsOf: (record: DecisionRecord) => ofDecisions.charsOf(record) + getCounters(record.claims) * CHARS_OF_COUNTER,
};
const ofOthers = { keyOf: ({ organization_id }: { readonly organization_id: string }) => organization_id };
const ofOutcomes = { ...ofOthers, charsOf: ({ execution }: OutcomeRow) => execution.length };

/** How events are sent, and how long an execution stays leased after the timeout of its call. */
export type QueueTerms = { readonly eventRows: EventRows; readonly afterCallMs: number; readonly onBatch?: OnBatch | undefined };

const NO_ROWS = '{}';

/** The queues of the recorder with their connections, which are opened as the recorder's role when they are first needed. */
export const openQueues = (settings: ConnectionSettings, { eventRows, afterCallMs, onBatch }: QueueTerms): Queues => {
  const open = (count: number) => Array.from({ length: count }, () => openPreparedConnection(settings));
  const { lanesCount } = LIMITS.recording;
  const [lanes, counting, closing] = [open(lanesCount), open(lanesCount), open(lanesCount)];
  const [questions, sessions] = [openPreparedConnection(settings), openPreparedConnection(settings)];
  // Half of the timeout is for the queue and half for the statement, so that a late caller is answered within all of it.
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
