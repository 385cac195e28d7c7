/** The state of a rate limit after one more use. */
export type RateLimitState = {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the budget is full again. */
  readonly resetSeconds: number;
  /** Set if the refusing budget is the shared one. */
  readonly isWhole?: true;
};

/** A named budget: `limit` uses of `key` fit into a window. */
export type Share = {
  readonly key: string;
  readonly limit: number;
  /** Uses taken in one step; 1 by default. */
  readonly uses?: number;
  /** True for keys that unauthenticated clients can create in any number: they take no capacity from other keys. */
  readonly unproven?: true;
};

/** Counts uses of a key in windows of fixed length (fixed-window rate limit). */
export type RateLimiter = {
  /**
   * Takes one or more uses of `own`, and in the same step of `whole`, which many share. A refusal uses up neither budget, so that a caller
   * who
   * requested too much keeps what is left. Returns the budget that refuses, or the one with fewer uses left. Throws if the store fails: a
   * lost
   * counter admits no one.
   */
  readonly take: (own: Share, windowMs: number, whole?: Share) => RateLimitState | Promise<RateLimitState>;
  readonly close: () => Promise<void>;
};
