import { setTimeout as pause } from 'node:timers/promises';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';

type Work<Call, Deps, Answer> = (call: Call, deps: Deps) => Promise<Answer> | Answer;

/**
 * Answers no sooner than some time after the request began, so that how long the work took cannot be told [timing side channel]: whether an
 * address has an account, or something waits for it. The time is set when the work begins and not when it ends, since what is left of it would
 * be rounded. What takes longer is answered when it is done.
 */
export const evenly =
  <Call, Deps, Answer>(work: Work<Call, Deps, Answer>) =>
  async (call: Call, deps: Deps): Promise<Answer> => {
    const over = pause(LIMITS.evenAnswers.afterMs);
    try {
      return await work(call, deps);
    } finally {
      await over;
    }
  };

/** The same for refusals alone, where whoever is let in learns of it anyway. */
export const refusingEvenly =
  <Call, Deps, Answer>(work: Work<Call, Deps, Answer>) =>
  async (call: Call, deps: Deps): Promise<Answer> => {
    const over = pause(LIMITS.evenAnswers.afterMs);
    const answer = await work(call, deps);
    if (isRefusal(answer)) await over;
    return answer;
  };
