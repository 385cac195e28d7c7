/** What is left of a budget after one more use. */
export type Budget = {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the budget is full again. */
  readonly resetSeconds: number;
};

/** Counts uses of a key in windows of fixed length. */
export type RateLimiter = {
  /** Takes one use; `limit` uses fit into `windowMs`. Breakage of the store is thrown: nobody gets in because a counter is lost. */
  readonly take: (key: string, limit: number, windowMs: number) => Budget | Promise<Budget>;
  readonly close: () => Promise<void>;
};
