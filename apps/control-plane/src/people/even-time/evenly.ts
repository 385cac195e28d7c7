import { setTimeout as pause } from 'node:timers/promises';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';

type Work<Call, Deps, Answer> = (call: Call, deps: Deps) => Promise<Answer> | Answer;

/**
 * Delays the response to a minimum time after the request began, so that its duration discloses nothing (timing side channel): whether an
 * address has an account, or whether something is pending for it. The deadline is set when the work begins; if it were set at the end, the
 * rest would be rounded. Work that takes longer is answered when it is done.
 */
export const delayResponse =
  <Call, Deps, Answer>(work: Work<Call, Deps, Answer>) =>
  async (call: Call, deps: Deps): Promise<Answer> => {
    const over = pause(LIMITS.evenAnswers.afterMs);
    try {
      return await work(call, deps);
    } finally {
      await over;
    }
  };

/** Does the same for refusals only, where a successful caller learns the fact anyway. */
export const delayRefusals =
  <Call, Deps, Answer>(work: Work<Call, Deps, Answer>) =>
  async (call: Call, deps: Deps): Promise<Answer> => {
    const over = pause(LIMITS.evenAnswers.afterMs);
    const answer = await work(call, deps);
    if (isRefusal(answer)) await over;
    return answer;
  };
