import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ActionRecord, DecisionRecord, Outcome } from '@svc/enforcement/ports/ports.ts';
import pg from 'pg';
import type { OutcomeRow, OutcomeStands } from './record-outcomes.ts';
import { newOutcomeWriter } from './retry-outcomes.ts';

/** The last is what a transaction says whose commit broke the connection. */
const BROKE_OFF = /^(Connection terminated unexpectedly|Query read timeout|Connection terminated after a statement that broke it)/;
const SYSTEM_CODES = new Set<unknown>(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/** Whether a statement was sent and nobody knows whether it was committed. What the server rejects was not. */
const isUnsure = (error: unknown): boolean => {
  if (error instanceof pg.DatabaseError) return error.severity === 'FATAL';
  return error instanceof Error && (BROKE_OFF.test(error.message) || SYSTEM_CODES.has((error as { code?: unknown }).code));
};

export type UnsureDecisions = {
  /** Passes on what recording a decision came to, and remembers one that was to be executed and may or may not be on record. */
  readonly watch: <Result>(record: DecisionRecord, recording: Promise<Result>) => Promise<Result>;
  /** Closes such a decision if it is on record: it was answered as refused, so its call is never made. */
  readonly undo: (outcome: Outcome) => void;
  readonly drain: () => Promise<void>;
};

/**
 * Closes actions that stand in execution although nobody executes them, since the connection broke off while they were committed. So many
 * at the same time at most; one that is not closed here is closed when its lease is over.
 */
export const newUnsureDecisions = (
  attempt: (outcome: OutcomeRow) => Promise<OutcomeStands>,
  rowOf: (outcome: Outcome) => OutcomeRow,
  withinMs: number,
): UnsureDecisions => {
  const unsure = new WeakSet<ActionRecord>();
  // A statement whose connection broke may go on for a while in the server, and its action is there only then.
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
