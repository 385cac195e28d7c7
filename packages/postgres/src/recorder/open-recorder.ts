import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ExecutionTimes } from '@svc/enforcement/execution/execution-times.ts';
import type { DecisionRecord, Ports, RecordOutcome } from '@svc/enforcement/ports/ports.ts';
import type { ConnectionSettings, Database } from '../connection/connect.ts';
import { inTenant } from '../connection/in-tenant.ts';
import { type Batcher, newBatcher } from './batcher.ts';
import { beginSessions, type NewAgentSession, type SessionOutcome } from './begin-sessions.ts';
import { checkEpochs, type EpochQuestion } from './check-epochs.ts';
import { findFirstUse } from './find-first-use.ts';
import { lookAtClaims } from './look-at-claims.ts';
import { openPreparedConnection } from './prepared-connection.ts';
import { recordAlone } from './record-alone.ts';
import { type BatchOutcome, newRecordBatch } from './record-batch.ts';
import { type ClaimedOutcome, newRecordClaims } from './record-claims.ts';
import { type OutcomeRow, type OutcomeStands, outcomeRow, recordOutcomes } from './record-outcomes.ts';
import { newOutcomeWriter } from './retry-outcomes.ts';
import { newUnsureDecisions } from './undo-unsure.ts';

export type Recorder = Ports['recorder'] & {
  readonly counters: Ports['counters'];
  readonly epochsStand: (question: EpochQuestion) => Promise<boolean>;
  readonly beginSession: (session: NewAgentSession) => Promise<SessionOutcome>;
  readonly close: () => Promise<void>;
};

type Lane<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

type Shared<Item> = {
  readonly keyOf: (item: Item) => string;
  readonly waitMsMax: number;
  readonly queuedMax?: number;
  readonly queuedPerKeyMax?: number;
};

/** Lanes with a connection each, taken by whichever batch comes next; of those who wait every organization has its turn. */
const overLanes = <Item, Result>(lanes: readonly Lane<Item, Result>[], shared: Shared<Item>): Batcher<Item, Result> => {
  const free = [...lanes];
  const { batchRowsMax } = LIMITS.recording;
  const { keyOf, waitMsMax, queuedMax = LIMITS.recording.queuedMax } = shared;
  return newBatcher({
    rowsMax: batchRowsMax,
    inFlightMax: lanes.length,
    queueMax: queuedMax,
    ownBatchRows: 12,
    share: { keyOf, queueMax: shared.queuedPerKeyMax ?? LIMITS.recording.queuedPerOrganizationMax },
    waitMsMax,
    run: async (items) => {
      const lane = free.pop();
      if (!lane) throw new Error('more batches in flight than lanes');
      return await lane(items).finally(() => free.push(lane));
    },
  });
};

/** Questions of whoever is not proven to be somebody, by where they come from. */
const OF_STRANGERS = {
  keyOf: ({ unproven = '' }: EpochQuestion) => unproven,
  queuedMax: LIMITS.recording.unprovenQueuedMax,
  queuedPerKeyMax: LIMITS.recording.unprovenQueuedPerAddressMax,
};

/** Everything that is written on the hot path: in groups where rows are independent or only count together, alone where an approval is involved. */
export const openRecorder = (
  database: Database,
  settings: ConnectionSettings,
  { leaseMs, recordWithinMs }: Pick<ExecutionTimes, 'leaseMs' | 'recordWithinMs'>,
): Recorder => {
  const lanes = [openPreparedConnection(settings), openPreparedConnection(settings)];
  const questions = openPreparedConnection(settings);
  const sessions = openPreparedConnection(settings);
  const counting = [openPreparedConnection(settings), openPreparedConnection(settings)];
  const closing = [openPreparedConnection(settings), openPreparedConnection(settings)];
  // Half of the time is for the queue and half for the statement, so that whoever is answered late is answered within all of it.
  const waitMsMax = Math.floor(settings.timeoutMs / 2);
  const ofDecisions = { keyOf: ({ action }: DecisionRecord) => action.organization_id, waitMsMax };
  const ofOthers = { keyOf: ({ organization_id }: { readonly organization_id: string }) => organization_id, waitMsMax };
  const recording = lanes.map((lane) => newRecordBatch(lane, leaseMs));
  const decisions = overLanes<DecisionRecord, BatchOutcome>(recording, ofDecisions);
  const claims = counting.map((lane) => newRecordClaims(lane, leaseMs));
  const claiming = overLanes<DecisionRecord, ClaimedOutcome>(claims, ofDecisions);
  const askEpochs = [(asked: readonly EpochQuestion[]) => checkEpochs(questions, asked)];
  const epochs = overLanes<EpochQuestion, boolean>(askEpochs, ofOthers);
  const doubts = overLanes<EpochQuestion, boolean>(askEpochs, { ...OF_STRANGERS, waitMsMax });
  const begun = overLanes<NewAgentSession, SessionOutcome>([(begun) => beginSessions(sessions, begun)], ofOthers);
  const ended = overLanes<OutcomeRow, OutcomeStands>(
    closing.map((lane) => (rows: readonly OutcomeRow[]) => recordOutcomes(lane, rows)),
    ofOthers,
  );
  const outcomes = newOutcomeWriter(ended.add, recordWithinMs);
  const unsure = newUnsureDecisions(ended.add, 2 * settings.timeoutMs);
  const firstUse = ({ action }: DecisionRecord): Promise<RecordOutcome> =>
    inTenant(database, { organization_id: action.organization_id }, async (tx) => (await findFirstUse(tx, action)) ?? { outcome: 'moved' });
  const recordTogether = async (record: DecisionRecord): Promise<RecordOutcome> => {
    const written = await (record.claims.length === 0 ? decisions : claiming).add(record);
    return written.outcome === 'key_used' ? firstUse(record) : written;
  };
  return {
    record: (record) =>
      record.opens || record.consumes ? recordAlone(database, record, leaseMs) : unsure.watch(record, recordTogether(record)),
    undo: unsure.undo,
    recordOutcome: (outcome) => outcomes.write(outcomeRow(outcome)),
    counters: { look: (organizationId, claims) => lookAtClaims(database, organizationId, claims) },
    epochsStand: (question) => (question.unproven === undefined ? epochs : doubts).add(question),
    beginSession: (session) => begun.add(session),
    close: async () => {
      await Promise.all([decisions, claiming, epochs, doubts, begun, outcomes, unsure].map((one) => one.drain()));
      await Promise.all([...lanes, ...counting, ...closing, questions, sessions].map((connection) => connection.close()));
    },
  };
};
