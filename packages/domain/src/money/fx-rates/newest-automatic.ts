import type { StoredRate } from './rate-table.ts';

/** The automatic rate that was fetched last for each quote currency of a base currency. */
export const findNewestAutomatic = <Rate extends StoredRate>(stored: readonly Rate[], baseCurrency: string): ReadonlyMap<string, Rate> => {
  const newest = new Map<string, Rate>();
  for (const rate of stored) {
    if (rate.source !== 'AUTOMATIC' || rate.base_currency !== baseCurrency) continue;
    const known = newest.get(rate.quote_currency);
    // Both are written as the service writes times, so that their text sorts as they do.
    if (known === undefined || known.effective_at < rate.effective_at) newest.set(rate.quote_currency, rate);
  }
  return newest;
};
