import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { LaunchFault } from '../faults/launch-fault.ts';

export type WaitTerms = {
  readonly signal: AbortSignal;
  /** Called once before the first wait, with the reason. */
  readonly onWait: (outage: LaunchFault) => Promise<void>;
};

/** Retries a step with backoff and without limit while the database does not respond. Throws other errors, and if aborted. */
export const retryUntilDatabaseAnswers = async <Result>(step: () => Promise<Result>, { signal, onWait }: WaitTerms): Promise<Result> => {
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
