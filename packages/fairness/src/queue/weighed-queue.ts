import { newFairQueue } from './fair-queue.ts';

/** A fair queue of items with weights, taken by weight. */
export type WeighedQueue<Item> = {
  readonly size: () => number;
  readonly sizeOf: (key: string) => number;
  readonly push: (key: string, item: Item) => void;
  /** Returns up to `max` items round-robin, and stops once they weigh `weightMax`: the first one is returned at any weight. */
  readonly take: (max: number, weightMax: number) => Item[];
  /** The same for the keys that may go. */
  readonly takeOf: (mayGo: (key: string) => boolean, max: number, weightMax: number) => Item[];
  /** Removes the late items at the front of each key. */
  readonly takeLate: (isLate: (item: Item) => boolean) => Item[];
};

export const newWeighedQueue = <Item>(weightOf: (item: Item) => number): WeighedQueue<Item> => {
  const queue = newFairQueue<Item>();
  let weight = 0;
  const lighter = (items: Item[]): Item[] => {
    for (const item of items) weight -= weightOf(item);
    return items;
  };
  const takeByWeight = (max: number, weightMax: number, mayGo?: (key: string) => boolean): Item[] => {
    const taken: Item[] = [];
    let left = weightMax;
    while (taken.length < max && left > 0) {
      const item = queue.next(mayGo);
      if (item === undefined) break;
      taken.push(item);
      left -= weightOf(item);
    }
    return taken;
  };
  return {
    size: queue.size,
    sizeOf: queue.sizeOf,
    push: (key, item) => {
      weight += weightOf(item);
      queue.push(key, item);
    },
    take: (max, weightMax) => lighter(weight <= weightMax ? queue.take(max) : takeByWeight(max, weightMax)),
    takeOf: (mayGo, max, weightMax) => lighter(takeByWeight(max, weightMax, mayGo)),
    takeLate: (isLate) => lighter(queue.takeLate(isLate)),
  };
};
