import type { Ceiling } from './delegation.ts';

/** What of a ceiling adds up over time: calls, and amounts of one currency where there is a window. */
export type Counted = { readonly calls: boolean; readonly currency: string | null };

const countedBy = ({ max_calls, max_amount, currency, window_seconds }: Ceiling): Counted => ({
  calls: max_calls !== null,
  currency: max_amount !== null && window_seconds !== null ? currency : null,
});

/** What a changed ceiling counts and the one before it did not; null when there is nothing. Its uses until now are on no counter. */
export const newlyCounted = (before: Ceiling, after: Ceiling): Counted | null => {
  const [was, is] = [countedBy(before), countedBy(after)];
  const calls = is.calls && !was.calls;
  const currency = is.currency !== was.currency ? is.currency : null;
  return calls || currency !== null ? { calls, currency } : null;
};
