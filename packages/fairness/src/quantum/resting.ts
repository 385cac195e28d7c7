import { newExpensiveHolders } from './expensive-tenants.ts';
import { newHeavyHolder } from './heavy-holder.ts';

/** Combines both throttles: of expensive work and of heavy holders. */
export const newResting = () => {
  const dear = newExpensiveHolders();
  const heavy = newHeavyHolder();
  return {
    note: (holder: string, tookMs: number, now: number): void => {
      dear.note(holder, tookMs, now);
      heavy.note(holder);
    },
    endTurn: heavy.endTurn,
    mayGo: (holder: string, now: number): boolean => dear.mayGo(holder, now) && heavy.mayGo(holder, now),
    /** Returns when the first throttled holder may continue. */
    restsUntil: (now: number): number => Math.min(dear.restsUntil(now), heavy.restsUntil(now)),
  };
};
