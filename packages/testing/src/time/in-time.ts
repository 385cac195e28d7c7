import { setTimeout as sleep } from 'node:timers/promises';

/** Distance of the moment in each attempt: an idle machine needs the first only. */
const AHEAD_MS: readonly number[] = [1_500, 6_000, 24_000];

/** Error of a clock that was read over a connection. */
const AFTER_MS = 100;

/**
 * Does what must be done before a moment, and then waits until that moment has passed. An attempt that fails because a busy machine was
 * late is repeated with a later moment; one that fails before its moment is thrown.
 */
export const getInTime = async <Value>(
  attempt: (moment: number) => Promise<Value>,
  ahead: readonly number[] = AHEAD_MS,
): Promise<Value> => {
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
