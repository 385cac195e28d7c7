import { LIMITS } from '@svc/contract/tables/limits.ts';

export type ExecutionSettings = { readonly egressTimeoutMs: number; readonly databaseTimeoutMs: number };

/** Maximum times of the parts of an execution, all derived from the same two settings. */
export type ExecutionTimes = {
  /** Time within which recording an outcome is retried. An attempt begun by then may still complete. */
  readonly recordWithinMs: number;
  /**
   * From the end of the call's time to the end of the lease on the row of its action. After the lease no one makes the call or records its
   * outcome.
   */
  readonly afterCallMs: number;
  /** Time from a stop signal within which a call that was just begun is made, recorded and answered. */
  readonly drainMs: number;
};

const { recordAttemptsCount, recordWithinMsMin, recordWithinMsMax, marginMs } = LIMITS.outcomes;

export const computeExecutionTimes = ({ egressTimeoutMs, databaseTimeoutMs }: ExecutionSettings): ExecutionTimes => {
  const recordWithinMs = Math.min(Math.max(recordAttemptsCount * databaseTimeoutMs, recordWithinMsMin), recordWithinMsMax);
  // A large response is read after it has arrived; the last recording attempt waits for its slot, a connection and a statement.
  const recordingMs = LIMITS.egress.largeAnswerMs + recordWithinMs + 3 * databaseTimeoutMs;
  return {
    recordWithinMs,
    afterCallMs: recordingMs + marginMs,
    drainMs: Math.max(egressTimeoutMs + recordingMs, LIMITS.shutdown.drainMs),
  };
};
