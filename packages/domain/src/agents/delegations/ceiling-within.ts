import { convertMinor } from '../../money/fx-rates/convert.ts';
import type { RateTable } from '../../money/fx-rates/rate-table.ts';
import type { AuthorityFault, Ceiling } from './delegation.ts';

/** The rates by which amounts of different currencies are compared. */
export type RatesAtTime = { readonly rates: RateTable; readonly now: Date };

/**
 * Returns the maximum of `asked` within the outer window: a limit per 60 seconds allows sixty times as much in an hour. Null is a window
 * without end.
 */
const mostIn = (outerWindow: number | null, most: number, ownWindow: number | null): number => {
  if (ownWindow === null) return most;
  return outerWindow === null ? Number.POSITIVE_INFINITY : most * Math.ceil(outerWindow / ownWindow);
};

const callsFault = (outer: Ceiling, asked: Ceiling): AuthorityFault[] => {
  if (outer.max_calls === null) return [];
  if (asked.max_calls === null) return [{ field: 'ceiling.max_calls', parent: outer.max_calls, asked: null }];
  if (asked.max_calls > outer.max_calls) return [{ field: 'ceiling.max_calls', parent: outer.max_calls, asked: asked.max_calls }];
  if (mostIn(outer.window_seconds, asked.max_calls, asked.window_seconds) <= outer.max_calls) return [];
  return [{ field: 'ceiling.window_seconds', parent: outer.window_seconds, asked: asked.window_seconds }];
};

const amountFaults = (outer: Ceiling, asked: Ceiling, { rates, now }: RatesAtTime): AuthorityFault[] => {
  if (outer.max_amount === null || outer.currency === null) return [];
  const tooMuch: AuthorityFault = {
    field: 'ceiling.max_amount',
    parent: { max_amount: outer.max_amount, currency: outer.currency },
    asked: { max_amount: asked.max_amount, currency: asked.currency },
  };
  if (asked.max_amount === null || asked.currency === null) return [tooMuch];
  const converted = convertMinor(asked.max_amount, asked.currency, outer.currency, rates, now);
  if ('missing' in converted) return [{ field: 'ceiling.currency', parent: outer.currency, asked: asked.currency }];
  if (!('ok' in converted) || converted.ok > outer.max_amount) return [tooMuch];
  // A bound on single actions holds if their sum is bounded; a bound on sums does not follow from one on single actions.
  if (outer.window_seconds === null) return [];
  const sum = asked.window_seconds === null ? Number.POSITIVE_INFINITY : mostIn(outer.window_seconds, converted.ok, asked.window_seconds);
  return sum <= outer.max_amount ? [] : [{ field: 'ceiling.window_seconds', parent: outer.window_seconds, asked: asked.window_seconds }];
};

/** Returns where `asked` would allow what `outer` does not. */
export const findCeilingFaults = (outer: Ceiling, asked: Ceiling, exchange: RatesAtTime): readonly AuthorityFault[] => {
  const faults = [...amountFaults(outer, asked, exchange), ...callsFault(outer, asked)];
  return faults.filter((fault, index) => faults.findIndex(({ field }) => field === fault.field) === index);
};
