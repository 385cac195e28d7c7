export type LaneBounds = {
  readonly parallelMax: number;
  readonly waitingMax: number;
  /** Rests after each piece of work, each as long as the work took: with one, the lane is at work half of the time at most. */
  readonly restsCount?: number;
};

/** Runs work when there is room for it; null, at once and without starting it, when too much is waiting already. */
export type BoundedLane = <Result>(work: () => Promise<Result>) => Promise<Result> | null;

/** A lane [a bulkhead with a bounded FIFO queue] in which at most `parallelMax` pieces of work run and at most `waitingMax` wait, first come first served. */
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
  // The place is handed to the next in line, never given up between two, so that nobody slips past the queue.
  const passTurn = (): void => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };

  /** Nobody waits for the rest of their own work, only those who come after it. */
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
