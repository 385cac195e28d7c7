import type { InProcessPlan } from './in-process.ts';
import type { HttpPlan } from './over-http.ts';

export type PolicyPlan = { readonly inProcess: InProcessPlan; readonly http: HttpPlan };

export const FULL: PolicyPlan = {
  // Short ones, so that some of them meet no other load; garbage is collected in each all the same.
  inProcess: { rounds: 40, warmUpMs: 500, roundMs: 50 },
  http: { connections: 32, rounds: 3, warmUpMs: 2_000, roundMs: 4_000 },
};

/** Checks that the engines agree and that the bench works; its numbers mean little. */
export const QUICK: PolicyPlan = {
  inProcess: { rounds: 1, warmUpMs: 10, roundMs: 20 },
  http: { connections: 4, rounds: 1, warmUpMs: 100, roundMs: 200 },
};
