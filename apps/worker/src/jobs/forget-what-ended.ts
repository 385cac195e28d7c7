import { LIMITS } from '@svc/contract/tables/limits.ts';
import { FORGOTTEN, forgetEnded } from '@svc/postgres/people/ended/forget-ended.ts';
import { runPart } from './job.ts';
import type { JobRound } from './start-jobs.ts';

const NAME = 'forget-what-ended';

/** Deletes ended rows of people, a bounded number of each kind per round; a failing kind does not stop others. */
export const forgetWhatEnded: JobRound = {
  name: NAME,
  everyMs: LIMITS.forgetting.everyMs,
  run: async (deps, isStopped) => {
    for (const table of Object.keys(FORGOTTEN)) {
      if (isStopped()) return;
      await runPart(deps, NAME, undefined, () => forgetEnded(deps.identity, table, deps.clock(), LIMITS.forgetting.rowsMax));
    }
  },
};
