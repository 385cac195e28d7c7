import { createError } from '../wire/errors.ts';

/** Remaining time of one call. `signal` aborts everything within it: on timeout or if the caller aborts. */
export type Deadline = { readonly signal: AbortSignal; readonly remainingMs: () => number };

const TIMER_MS_MAX = 2 ** 31 - 1;

/** Runs work with a timeout. Throws `TIMED_OUT` after it, and the caller's own reason if `signal` aborts. */
export const withDeadline = async <Result>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  work: (deadline: Deadline) => Promise<Result>,
): Promise<Result> => {
  signal?.throwIfAborted();
  const endsAtMs = performance.now() + timeoutMs;
  const controller = new AbortController();
  const giveUp = (): void => controller.abort(signal?.reason);
  const runOut = (): void =>
    controller.abort(createError({ code: 'TIMED_OUT', message: `There was no final response within ${timeoutMs} ms.` }));
  const timer = setTimeout(runOut, Math.min(timeoutMs, TIMER_MS_MAX));
  signal?.addEventListener('abort', giveUp, { once: true });
  try {
    return await work({ signal: controller.signal, remainingMs: () => endsAtMs - performance.now() });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
};

/** Returns the result of a promise, unless the signal aborts first. The promise continues for other waiters. */
export const raceAbort = async <Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> => {
  let giveUp = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
};

/** Waits, unless the signal aborts first. */
export const sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(ms, TIMER_MS_MAX));
  });
  try {
    await raceAbort(over, signal);
  } finally {
    clearTimeout(timer);
  }
};
