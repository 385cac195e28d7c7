import { isGovernanceError } from '../wire/errors.ts';
import { retryDelayMs } from './backoff.ts';
import { type Deadline, sleep } from './deadline.ts';

/**
 * Repeats work that failed for a reason that passes, as long as the deadline leaves room for the wait. What cannot be waited for is
 * thrown as it came, and so is an error that `isFinal`. Only for work that does the same whether it is done once or twice.
 */
export const retrying = async <Result>(
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
      const waitMs = isFinal(error) ? undefined : retryDelayMs(error, attempt, lostAnswer);
      if (waitMs === undefined || waitMs >= deadline.remainingMs()) throw error;
      await sleep(waitMs, deadline.signal);
    }
  }
};
