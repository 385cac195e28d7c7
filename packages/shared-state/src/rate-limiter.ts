/** What is left of a budget after one more use. */
export type Budget = {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the budget is full again. */
  readonly resetSeconds: number;
  /** Set where it refuses and is the one that many share. */
  readonly isWhole?: true;
};

/** A budget by its name: `limit` uses of `key` fit into a window. */
export type Share = {
  readonly key: string;
  readonly limit: number;
  /** Taken at once; one use when left out. */
  readonly uses?: number;
  /** Anybody can make such keys, as many as they like: what is held of them takes no room from others. */
  readonly unproven?: true;
};

/** Counts uses of a key in windows of fixed length. */
export type RateLimiter = {
  /**
   * Takes a use of `own`, or as many as it says, and in the same step of `whole`, which many share: what is refused by its own budget uses up nothing of
   * theirs, and what a budget refuses uses up nothing of it: who asked for too much at once has what is left. Answers the budget that refuses, or the one of which less is left. Breakage of the store is thrown: nobody gets in because
   * a counter is lost.
   */
  readonly take: (own: Share, windowMs: number, whole?: Share) => Budget | Promise<Budget>;
  readonly close: () => Promise<void>;
};
