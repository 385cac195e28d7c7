import { LIMITS } from '@svc/contract/tables/limits.ts';

const { deathsWithinMs, backoffMs, backoffMsMax } = LIMITS.restarts;

/** Returns a function that records one death and returns how many still count. */
export const createCrashCounter = (): (() => number) => {
  let times: number[] = [];
  return () => {
    const now = performance.now();
    times = [...times.filter((time) => now - time < deathsWithinMs), now];
    return times.length;
  };
};

/** Returns the backoff after so many deaths. */
export const getRestartDelayMs = (deaths: number): number => Math.min(backoffMs * 2 ** (deaths - 1), backoffMsMax);

/** Resolves when the work is done or the signal aborts. */
export const waitUntilAborted = async (work: Promise<unknown>, signal: AbortSignal): Promise<void> => {
  if (signal.aborted) return;
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await Promise.race([work, aborted]);
};
