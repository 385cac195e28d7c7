/** What a process that is asked to stop still has to finish. */
export type Drain = {
  /** From now on nothing new is begun. */
  readonly begin: () => void;
  readonly isDraining: () => boolean;
  /** What is done once it begins, for what would never end by itself. */
  readonly whenBegun: (work: () => void) => void;
  /** A handler has begun, and has ended. */
  readonly enter: () => void;
  readonly leave: () => void;
  /** Resolves when no handler runs; also those whose caller is gone count. */
  readonly idle: () => Promise<void>;
};

export const newDrain = (): Drain => {
  let draining = false;
  let running = 0;
  let waiting: (() => void)[] = [];
  const begun: (() => void)[] = [];
  return {
    begin: () => {
      draining = true;
      for (const work of begun.splice(0)) work();
    },
    isDraining: () => draining,
    whenBegun: (work) => void begun.push(work),
    enter: () => {
      running += 1;
    },
    leave: () => {
      running -= 1;
      if (running > 0) return;
      for (const resolve of waiting) resolve();
      waiting = [];
    },
    idle: () => (running === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
};
