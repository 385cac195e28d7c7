import type { ExecutionTimes } from '@svc/enforcement/execution/execution-times.ts';
import { isContinuation } from '@svc/enforcement/facts/facts.ts';
import type { DecisionRecord, Ports, RecordedOutcome, RecordOutcome } from '@svc/enforcement/ports/ports.ts';
import type { ConnectionSettings, Database } from '../connection/connect.ts';
import { inTenant } from '../connection/in-tenant.ts';
import type { NewAgentSession, SessionOutcome } from './begin-sessions.ts';
import type { EpochQuestion } from './check-epochs.ts';
import { type DigestDocument, newEventDigests } from './digest-events.ts';
import { newEventRows } from './event-rows.ts';
import { findFirstUse } from './find-first-use.ts';
import { lookAtClaims } from './look-at-claims.ts';
import { type OnBatch, openQueues, type RecorderQueue } from './open-queues.ts';
import { recordAlone } from './record-alone.ts';
import { buildOutcomeRow, type OutcomeRow, type OutcomeStands } from './record-outcomes.ts';
import { isGivingBack, recordUnsent } from './record-unsent.ts';
import { newOutcomeWriter } from './retry-outcomes.ts';
import { newUnsureDecisions } from './undo-unsure.ts';

export type Recorder = Ports['recorder'] & {
  readonly counters: Ports['counters'];
  readonly epochsStand: (question: EpochQuestion) => Promise<boolean>;
  readonly beginSession: (session: NewAgentSession) => Promise<SessionOutcome>;
  /** The number of queued items. */
  readonly queued: (queue: RecorderQueue) => number;
  /** Opens what the first requests would otherwise wait for, and throws if that fails; anything not open is opened on demand. */
  readonly warm: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type RecorderTerms = Pick<ExecutionTimes, 'afterCallMs' | 'recordWithinMs'> & {
  readonly digestDocument: DigestDocument;
  readonly onBatch?: OnBatch | undefined;
};

/** Opens all writes of the hot path: batched if rows are independent or only count together, alone if an approval is involved. */
export const openRecorder = (
  database: Database,
  settings: ConnectionSettings,
  { digestDocument, afterCallMs, recordWithinMs, onBatch }: RecorderTerms,
): Recorder => {
  if (settings.authenticator === undefined) throw new Error('the recorder needs the key that authenticates events');
  const queues = openQueues(settings, { eventRows: newEventRows(settings.authenticator), afterCallMs, onBatch });
  const { decisions, claims, epochs, doubts, sessions } = queues;
  const digests = newEventDigests(digestDocument);
  const rowOfOutcome = (outcome: RecordedOutcome): OutcomeRow => digests.ofOutcome(outcome.action, buildOutcomeRow(outcome));
  const writeOutcome = (outcome: OutcomeRow): Promise<OutcomeStands> =>
    isGivingBack(outcome) ? recordUnsent(database, outcome, digests) : queues.outcomes.add(outcome);
  const outcomes = newOutcomeWriter(writeOutcome, recordWithinMs);
  const unsure = newUnsureDecisions(writeOutcome, rowOfOutcome, 2 * settings.timeoutMs);
  const firstUse = ({ action }: DecisionRecord): Promise<RecordOutcome> =>
    inTenant(database, { organization_id: action.organization_id }, async (tx) => (await findFirstUse(tx, action)) ?? { outcome: 'moved' });
  const recordTogether = async (record: DecisionRecord): Promise<RecordOutcome> => {
    const written = await (record.claims.length === 0 ? decisions : claims).add(record);
    return written.outcome === 'key_used' ? firstUse(record) : written;
  };
  return {
    record: (record) => {
      const isAlone = record.opens !== null || record.consumes !== null || record.grows !== null;
      const digested = isContinuation(record.consumes) ? record : digests.ofDecision(record);
      return unsure.watch(digested, isAlone ? recordAlone(database, digested, { afterCallMs, digests }) : recordTogether(digested));
    },
    undo: unsure.undo,
    recordOutcome: (outcome) => outcomes.write(rowOfOutcome(outcome)),
    counters: { look: (organizationId, claimed) => lookAtClaims(database, organizationId, claimed) },
    epochsStand: (question) => (question.unproven === undefined ? epochs : doubts).add(question),
    beginSession: (session) => sessions.add(session),
    queued: (queue) => queues[queue].queued(),
    warm: queues.warm,
    close: async () => {
      await Promise.all([decisions, claims, epochs, doubts, sessions, outcomes, unsure].map((one) => one.drain()));
      await queues.closeConnections();
    },
  };
};
