/** Durations in milliseconds, and amounts. */
export type BenchPlan = {
  readonly connections: number;
  readonly rounds: number;
  /** For each row. */
  readonly warmUpMs: number;
  readonly roundMs: number;
  readonly aloneMs: number;
  /** Agents that obtain tokens; as many of them as there are connections act. */
  readonly agents: number;
  readonly mints: number;
};

export const FULL: BenchPlan = { connections: 32, rounds: 3, warmUpMs: 10_000, roundMs: 5_000, aloneMs: 3_000, agents: 64, mints: 8_000 };

/** Checks that the bench works; its numbers mean little. */
export const QUICK: BenchPlan = { connections: 8, rounds: 3, warmUpMs: 100, roundMs: 200, aloneMs: 100, agents: 8, mints: 80 };
