/** Precision of the measured wait. */
const TICK_MS = 100;

export type WaitingTime = {
  /** In ticks; they run only while something waits. */
  readonly now: () => number;
  readonly isOver: (one: { readonly since: number }) => boolean;
  /** Something waits from now. */
  readonly goOn: () => void;
};

/**
 * Measures waiting times without a clock call for each: a timer counts ticks while anything waits, and `onTick` returns true while
 * anything does. An item is late at its time and at most one tick later. Without a maximum nothing is ever late.
 */
export const newWaitingTime = (longestMs: number | undefined, onTick: () => boolean): WaitingTime => {
  if (longestMs === undefined) return { now: () => 0, isOver: () => false, goOn: () => undefined };
  const longest = Math.ceil(longestMs / TICK_MS);
  let tick = 0;
  let timer: NodeJS.Timeout | undefined;
  const count = (): void => {
    tick += 1;
    if (onTick()) return;
    clearInterval(timer);
    timer = undefined;
  };
  return {
    now: () => tick,
    isOver: ({ since }) => tick - since > longest,
    goOn: () => {
      timer ??= setInterval(count, TICK_MS).unref();
    },
  };
};
