import { setImmediate as nextTurn } from 'node:timers/promises';

/** Nothing else runs on this thread meanwhile. */
const TURN_MS = 2;

/** Returns a function to call between pieces of long work; it yields to the event loop once a time slice is used up. */
export const newTurns = (): (() => Promise<void> | undefined) => {
  let ends = performance.now() + TURN_MS;
  return () => {
    if (performance.now() < ends) return undefined;
    return nextTurn().then(() => {
      ends = performance.now() + TURN_MS;
    });
  };
};

/** Runs long work in steps, and yields to other work in between. */
export const runInTimeSlices = async <Value>(steps: Iterator<void, Value>, turn: ReturnType<typeof newTurns>): Promise<Value> => {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    const waits = turn();
    if (waits !== undefined) await waits;
  }
};
