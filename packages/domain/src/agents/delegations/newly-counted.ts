import type { Ceiling } from './delegation.ts';

/** The parts of a ceiling that add up over time: calls, and amounts of one currency with a window. */
export type CountedCeilingParts = { readonly calls: boolean; readonly currency: string | null };

const countedBy = ({ max_calls, max_amount, currency, window_seconds }: Ceiling): CountedCeilingParts => ({
  calls: max_calls !== null,
  currency: max_amount !== null && window_seconds !== null ? currency : null,
});

/** Retention of each use of a counter with a window, or its window if that is longer. */
export const USES_KEPT_SECONDS = 2_678_400;

/** A longer window may include uses whose rows are gone; the total over the life includes them all. */
const reachesBack = (before: Ceiling, after: Ceiling): boolean =>
  before.window_seconds !== null &&
  after.window_seconds !== null &&
  after.window_seconds > Math.max(before.window_seconds, USES_KEPT_SECONDS);

/**
 * Returns what a changed ceiling counts and the previous one did not, or not that far back; null if nothing. Such uses are on no counter.
 */
export const newlyCounted = (before: Ceiling, after: Ceiling): CountedCeilingParts | null => {
  const [was, is] = [countedBy(before), countedBy(after)];
  const isAnew = reachesBack(before, after);
  const calls = is.calls && (!was.calls || isAnew);
  const currency = is.currency !== was.currency || isAnew ? is.currency : null;
  return calls || currency !== null ? { calls, currency } : null;
};
