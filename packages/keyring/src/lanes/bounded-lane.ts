export type LaneBounds = {
  readonly parallelMax: number;
  readonly waitingMax: number;
  /** Throttles the lane after each piece of work for this multiple of its duration: with 1, the lane is busy half of the time at most. */
  readonly restsCount?: number;
};

/** Runs work if there is capacity; returns null at once, without starting it, if too much is waiting. */
export type BoundedLane = <Result>(work: () => Promise<Result>) => Promise<Result> | null;

/**
 * A lane [a bulkhead with a bounded FIFO queue] in which at most `parallelMax` pieces of work run and at most `waitingMax` wait, first come
 * first served.
 */
export const newBoundedLane = ({ parallelMax, waitingMax, restsCount = 0 }: LaneBounds): BoundedLane => {
  const waiting: (() => void)[] = [];
  let running = 0;

  const takeTurn = (): Promise<void> => {
    if (running < parallelMax) {
      running += 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      waiting.push(resolve);
    });
  };
  // The slot is handed to the next in line, never freed between two, so that no one bypasses the queue.
  const passTurn = (): void => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };

  /** The throttle delays only those that come later, not the caller of the work. */
  const passTurnAfter = (startedAt: number): void => {
    if (restsCount === 0) passTurn();
    else setTimeout(passTurn, (performance.now() - startedAt) * restsCount);
  };
  const run = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      passTurnAfter(startedAt);
    }
  };

  return (work) => {
    if (running >= parallelMax && waiting.length >= waitingMax) return null;
    return takeTurn().then(() => run(work));
  };
};
