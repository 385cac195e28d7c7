import { sweepSignUps } from '@svc/postgres/people/auth/sign-ups.ts';
import { runPart } from './job.ts';
import type { Round } from './start-jobs.ts';

const NAME = 'forget-sign-ups';

/** Forgets sign-ups whose code did not come back in time, and with them who tried. */
export const forgetSignUps: Round = {
  name: NAME,
  everyMs: 30_000,
  run: async (deps) => void (await runPart(deps, NAME, undefined, () => sweepSignUps(deps.identity, deps.clock()))),
};
