import { setImmediate as nextTurn } from 'node:timers/promises';

/** Nothing else runs on this thread meanwhile. */
const TURN_MS = 2;

/** Called between pieces of long work, lets whatever else waits in this process go first once a turn is used up. */
export const newTurns = (): (() => Promise<void> | undefined) => {
  let ends = performance.now() + TURN_MS;
  return () => {
    if (performance.now() < ends) return undefined;
    return nextTurn().then(() => {
      ends = performance.now() + TURN_MS;
    });
  };
};

/** Does long work that is cut into steps, and lets whatever else waits go first in between. */
export const inTurns = async <Value>(steps: Iterator<void, Value>, turn: ReturnType<typeof newTurns>): Promise<Value> => {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    const waits = turn();
    if (waits !== undefined) await waits;
  }
};
