import { isGovernanceError } from '../wire/errors.ts';
import { getRetryDelayMs } from './backoff.ts';
import { type Deadline, sleep } from './deadline.ts';

/**
 * Retries transient failures while the deadline leaves time for the delay. Other errors, and one that `isFinal`, are thrown unchanged. Only
 * for idempotent work.
 */
export const retryTransient = async <Result>(
  deadline: Deadline,
  work: () => Promise<Result>,
  isFinal: (error: unknown) => boolean = () => false,
): Promise<Result> => {
  let lostAnswer = false;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      lostAnswer ||= isGovernanceError(error, 'GATEWAY_UNREACHABLE');
      const waitMs = isFinal(error) ? undefined : getRetryDelayMs(error, attempt, lostAnswer);
      if (waitMs === undefined || waitMs >= deadline.remainingMs()) throw error;
      await sleep(waitMs, deadline.signal);
    }
  }
};
