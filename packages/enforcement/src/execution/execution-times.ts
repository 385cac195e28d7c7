import { LIMITS } from '@svc/contract/tables/limits.ts';

export type ExecutionSettings = { readonly egressTimeoutMs: number; readonly databaseTimeoutMs: number };

/** How long the parts of an execution may take, all of them from the same two settings. */
export type ExecutionTimes = {
  /** Within that, recording an outcome is tried again. An attempt that was begun by then may still end. */
  readonly recordWithinMs: number;
  /**
   * From the end of the time that a call has to the end of the lease on the row of its action. Past the lease no one makes the call any more, or
   * records its outcome.
   */
  readonly afterCallMs: number;
  /** From the moment a process is asked to stop: a call begun just before is made, recorded and answered. */
  readonly drainMs: number;
};

const { recordAttemptsCount, recordWithinMsMin, recordWithinMsMax, marginMs } = LIMITS.outcomes;

export const executionTimes = ({ egressTimeoutMs, databaseTimeoutMs }: ExecutionSettings): ExecutionTimes => {
  const recordWithinMs = Math.min(Math.max(recordAttemptsCount * databaseTimeoutMs, recordWithinMsMin), recordWithinMsMax);
  // A large answer is read after it has arrived; the last attempt to record waits for its turn, a connection and a statement.
  const recordingMs = LIMITS.egress.largeAnswerMs + recordWithinMs + 3 * databaseTimeoutMs;
  return {
    recordWithinMs,
    afterCallMs: recordingMs + marginMs,
    drainMs: Math.max(egressTimeoutMs + recordingMs, LIMITS.shutdown.drainMs),
  };
};
