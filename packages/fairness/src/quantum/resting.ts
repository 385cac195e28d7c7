import { newDearHolders } from './dear-holders.ts';
import { newHeavyHolder } from './heavy-holder.ts';

/** Who rests, for what is dear and for how much it is. */
export const newResting = () => {
  const dear = newDearHolders();
  const heavy = newHeavyHolder();
  return {
    note: (holder: string, tookMs: number, now: number): void => {
      dear.note(holder, tookMs, now);
      heavy.note(holder);
    },
    endTurn: heavy.endTurn,
    mayGo: (holder: string, now: number): boolean => dear.mayGo(holder, now) && heavy.mayGo(holder, now),
    /** When the first of those that rest may go on. */
    restsUntil: (now: number): number => Math.min(dear.restsUntil(now), heavy.restsUntil(now)),
  };
};
