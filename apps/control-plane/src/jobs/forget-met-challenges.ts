import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sweepMetChallenges } from '@svc/postgres/people/second-factors/take-factor.ts';
import { runPart } from './job.ts';
import type { Round } from './start-jobs.ts';

const NAME = 'forget-met-challenges';

/** Forgets challenges that passkeys have met, once their time is over. */
export const forgetMetChallenges: Round = {
  name: NAME,
  everyMs: 30_000,
  run: async (deps) =>
    void (await runPart(deps, NAME, undefined, () => sweepMetChallenges(deps.identity, deps.clock(), LIMITS.secondFactors.sweptMax))),
};
