import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than anything takes on the busiest machine, and shorter than the timeout of a test file. */
const withinMs = 60_000;
const lookEveryMs = 20;

/** Waits until a condition holds, on any machine; a timeout names it. */
export const waitUntil = async (what: string, holds: () => boolean | Promise<boolean>): Promise<void> => {
  for (const end = performance.now() + withinMs; !(await holds()); await sleep(lookEveryMs)) {
    if (performance.now() > end) throw new Error(`${what}: it has not come to be within ${withinMs / 1000} s`);
  }
};
