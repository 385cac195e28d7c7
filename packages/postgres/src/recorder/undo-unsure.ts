import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ActionRecord, DecisionRecord, RecordedOutcome } from '@svc/enforcement/ports/ports.ts';
import pg from 'pg';
import type { OutcomeRow, OutcomeStands } from './record-outcomes.ts';
import { newOutcomeWriter } from './retry-outcomes.ts';

/** The last is the error of a transaction whose commit broke the connection. */
const BROKE_OFF = /^(Connection terminated unexpectedly|Query read timeout|Connection terminated after a statement that broke it)/;
const SYSTEM_CODES = new Set<unknown>(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/** Returns true if a statement was sent and its commit is unknown. One that the server rejected was not committed. */
const isUnsure = (error: unknown): boolean => {
  if (error instanceof pg.DatabaseError) return error.severity === 'FATAL';
  return error instanceof Error && (BROKE_OFF.test(error.message) || SYSTEM_CODES.has((error as { code?: unknown }).code));
};

export type UnsureDecisions = {
  /** Passes on what recording a decision came to, and remembers one that was to be executed and may or may not be on record. */
  readonly watch: <Result>(record: DecisionRecord, recording: Promise<Result>) => Promise<Result>;
  /** Closes such a decision if it is recorded: its caller was refused, so its call is never made. */
  readonly undo: (outcome: RecordedOutcome) => void;
  readonly drain: () => Promise<void>;
};

/**
 * Closes actions that are in execution although no one executes them, since the connection broke during their commit. A bounded number
 * at the same time; one that is not closed here is closed when its lease expires.
 */
export const newUnsureDecisions = (
  attempt: (outcome: OutcomeRow) => Promise<OutcomeStands>,
  rowOf: (outcome: RecordedOutcome) => OutcomeRow,
  withinMs: number,
): UnsureDecisions => {
  const unsure = new WeakSet<ActionRecord>();
  // A statement whose connection broke may continue in the server for a while, and its action appears only then.
  const whenThere = async (outcome: OutcomeRow): Promise<OutcomeStands> => {
    const stands = await attempt(outcome);
    return stands === 'missing' ? 'again' : stands;
  };
  const writer = newOutcomeWriter(whenThere, withinMs);
  let underWay = 0;
  return {
    watch: (record, recording) => {
      if (record.action.status !== 'EXECUTING') return recording;
      return recording.catch((error: unknown) => {
        if (isUnsure(error)) unsure.add(record.action);
        throw error;
      });
    },
    undo: (outcome) => {
      if (!unsure.has(outcome.action) || underWay >= LIMITS.outcomes.unsureMax) return;
      underWay += 1;
      void Promise.allSettled([writer.write(rowOf(outcome))]).then(() => {
        underWay -= 1;
      });
    },
    drain: writer.drain,
  };
};
