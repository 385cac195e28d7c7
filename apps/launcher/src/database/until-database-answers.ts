import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { LaunchFault } from '../faults/launch-fault.ts';

export type WaitTerms = {
  readonly signal: AbortSignal;
  /** Called once, with what keeps the database from answering, before the first wait. */
  readonly onWait: (outage: LaunchFault) => Promise<void>;
};

/** Repeats a step with backoff and without end while the database does not answer. Throws what else is wrong, and when aborted. */
export const untilDatabaseAnswers = async <Result>(step: () => Promise<Result>, { signal, onWait }: WaitTerms): Promise<Result> => {
  const { retryMs, retryMsMax } = LIMITS.startup;
  for (let waitMs: number = retryMs; ; waitMs = Math.min(2 * waitMs, retryMsMax)) {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof LaunchFault && error.isOutage)) throw error;
      if (waitMs === retryMs) await onWait(error);
    }
    await sleep(waitMs, undefined, { signal });
  }
};
