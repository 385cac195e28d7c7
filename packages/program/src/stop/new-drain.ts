/** Work in progress that a stopping process has to finish. */
export type Drain = {
  /** Starts the drain: no new work is accepted. */
  readonly begin: () => void;
  readonly isDraining: () => boolean;
  /** Registers work to run when the drain begins, for what would never end by itself. */
  readonly whenBegun: (work: () => void) => void;
  /** Records that a handler started, or ended. */
  readonly enter: () => void;
  readonly leave: () => void;
  /** Resolves when no handler runs; handlers whose caller has disconnected count too. */
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
