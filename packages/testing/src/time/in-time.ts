import { setTimeout as sleep } from 'node:timers/promises';

/** How far off the moment is in each attempt: an idle machine needs the first only. */
const AHEAD_MS: readonly number[] = [1_500, 6_000, 24_000];

/** What a clock that was read over a connection may be off by. */
const AFTER_MS = 100;

/**
 * Does what has to be done before a moment, and then waits until that moment has passed. An attempt that fails because a busy machine came
 * too late is made again with a moment further off; one that fails before its moment is thrown.
 */
export const inTime = async <Value>(attempt: (moment: number) => Promise<Value>, ahead: readonly number[] = AHEAD_MS): Promise<Value> => {
  for (const [turn, aheadMs] of ahead.entries()) {
    const moment = Date.now() + aheadMs;
    try {
      const value = await attempt(moment);
      await sleep(moment + AFTER_MS - Date.now());
      return value;
    } catch (error) {
      if (Date.now() < moment || turn === ahead.length - 1) throw error;
    }
  }
  throw new Error('no attempt was made');
};
