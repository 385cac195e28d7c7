import { boundKey } from './bound-key.ts';
import { chooseTighterBudget, computeBudget } from './budget.ts';
import type { RateLimiter, RateLimitState, Share } from './rate-limiter.ts';

/** The maximum number of live windows. Beyond it new keys are refused: no live count is evicted to make room for another. */
const KEYS_MAX = 100_000;

/** The number of expired windows dropped per use: more than a use can add, so that memory shrinks while there is traffic. */
const DROPPED_PER_USE = 2;

/** Takes synchronously: the caller never waits. */
type MemoryRateLimiter = Omit<RateLimiter, 'take'> & { readonly take: (own: Share, windowMs: number, whole?: Share) => RateLimitState };

type Window = { used: number; readonly endsAtMs: number };

/** Windows of one length, in the order in which they end. */
type Windows = Map<string, Window>;

const dropExpired = (windows: Windows, nowMs: number, most: number): number => {
  let dropped = 0;
  for (const [key, window] of windows) {
    if (dropped === most || window.endsAtMs > nowMs) break;
    windows.delete(key);
    dropped += 1;
  }
  return dropped;
};

const firstEndMs = (byLength: ReadonlyMap<number, Windows>): number =>
  Math.min(...[...byLength.values()].flatMap((windows) => [...windows.values().take(1)].map(({ endsAtMs }) => endsAtMs)));

/**
 * A rate limiter in the memory of this process; with several processes the effective rate limit is multiplied by their number.
 * `clock` is monotonic, in milliseconds, so that a corrected wall clock cannot end or extend a window.
 */
export const newMemoryRateLimiter = (clock: () => number = () => performance.now(), keysMax: number = KEYS_MAX): MemoryRateLimiter => {
  const byLength = new Map<number, Windows>();
  let held = 0;

  const dropEverywhere = (nowMs: number): void => {
    for (const windows of byLength.values()) held -= dropExpired(windows, nowMs, Number.POSITIVE_INFINITY);
  };
  const getWindows = (windowMs: number): Windows => {
    const windows = byLength.get(windowMs) ?? new Map<string, Window>();
    byLength.set(windowMs, windows);
    return windows;
  };
  const openWindow = (windows: Windows, key: string, nowMs: number, windowMs: number): Window | undefined => {
    if (windows.delete(key)) held -= 1;
    if (held >= keysMax) dropEverywhere(nowMs);
    if (held >= keysMax) return undefined;
    const opened: Window = { used: 0, endsAtMs: nowMs + windowMs };
    windows.set(key, opened);
    held += 1;
    return opened;
  };

  const count = (windows: Windows, { key, limit, uses = 1 }: Share, nowMs: number, windowMs: number): RateLimitState => {
    const counted = boundKey(key);
    const current = windows.get(counted);
    const window = current && current.endsAtMs > nowMs ? current : openWindow(windows, counted, nowMs, windowMs);
    if (!window) return computeBudget(Number.POSITIVE_INFINITY, limit, firstEndMs(byLength) - nowMs);
    const budget = computeBudget(window.used + uses, limit, window.endsAtMs - nowMs);
    if (budget.allowed) window.used += uses;
    return budget;
  };

  return {
    take: (own, windowMs, whole) => {
      const nowMs = clock();
      const windows = getWindows(windowMs);
      held -= dropExpired(windows, nowMs, DROPPED_PER_USE);
      const budget = count(windows, own, nowMs, windowMs);
      return whole === undefined || !budget.allowed ? budget : chooseTighterBudget(budget, count(windows, whole, nowMs, windowMs));
    },
    close: async () => byLength.clear(),
  };
};
