import { countLane, newLane, type QueueLane, servedLane, takeFirst, takeFirstFit, takeFront } from './lane.ts';

/**
 * A queue that serves keys round-robin, first come first served within a key. Its owner decides how much may wait and which keys may go.
 * Adding costs one look-up of the key; taking everything costs nothing more.
 */
export type FairQueue<Item> = {
  readonly size: () => number;
  readonly sizeOf: (key: string) => number;
  readonly push: (key: string, item: Item) => void;
  /** Returns the next item: of the keys that may go, the first item that fits. Its key then moves behind all others. */
  readonly next: (mayGo?: (key: string) => boolean, isFit?: (item: Item) => boolean) => Item | undefined;
  /** Returns up to `max` items: one of each key per round, in the order of each key. */
  readonly take: (max: number) => Item[];
  /** Removes the late items at the front of each key. */
  readonly takeLate: (isLate: (item: Item) => boolean) => Item[];
  /** Removes the newest item of the longest key, if that key has more than `above` items. */
  readonly takeLastOfLongest: (above: number) => Item | undefined;
  /** Removes one item that no longer waits. */
  readonly remove: (key: string, item: Item) => boolean;
};

type State<Item> = {
  /** Lanes in the order in which they were last served; a key without items is absent. */
  lanes: Map<string, QueueLane<Item>>;
  size: number;
};

const push = <Item>(state: State<Item>, key: string, item: Item): void => {
  const lane = state.lanes.get(key);
  if (lane === undefined) state.lanes.set(key, newLane(item));
  else lane.items.push(item);
  state.size += 1;
};

/** Moves a key behind all others after an item was taken. */
const putBehind = <Item>({ lanes }: State<Item>, key: string, lane: QueueLane<Item>): void => {
  lanes.delete(key);
  if (countLane(lane) > 0) lanes.set(key, servedLane(lane));
};

const next = <Item>(state: State<Item>, mayGo?: (key: string) => boolean, isFit?: (item: Item) => boolean): Item | undefined => {
  for (const [key, lane] of state.lanes) {
    if (mayGo !== undefined && !mayGo(key)) continue;
    const item = isFit === undefined ? takeFirst(lane) : takeFirstFit(lane, isFit);
    if (item === undefined) continue;
    state.size -= 1;
    putBehind(state, key, lane);
    return item;
  }
  return undefined;
};

const takeAll = <Item>(state: State<Item>): Item[] => {
  const [first] = state.lanes.values();
  const isOneUntouched = state.lanes.size === 1 && first?.head === 0;
  const all = isOneUntouched ? first.items : [...state.lanes.values()].flatMap(({ items, head }) => items.slice(head));
  // A new map, since the old table of a cleared one keeps what it held and points to the next: all of it would reach the old generation.
  state.lanes = new Map();
  state.size = 0;
  return all;
};

const takeInTurn = <Item>(state: State<Item>, max: number): Item[] => {
  const taken: Item[] = [];
  // A key that is put back is visited again after all others; the only key gets all that is left.
  for (const [key, lane] of state.lanes) {
    if (taken.length === max) break;
    const part = state.lanes.size === 1 ? max - taken.length : 1;
    taken.push(...lane.items.slice(lane.head, lane.head + part));
    lane.head += part;
    putBehind(state, key, lane);
  }
  state.size -= taken.length;
  return taken;
};

const takeLate = <Item>(state: State<Item>, isLate: (item: Item) => boolean): Item[] => {
  const late: Item[] = [];
  for (const [key, lane] of state.lanes) {
    late.push(...takeFront(lane, isLate));
    if (countLane(lane) === 0) state.lanes.delete(key);
  }
  state.size -= late.length;
  return late;
};

const takeLastOfLongest = <Item>(state: State<Item>, above: number): Item | undefined => {
  let longest: [string, QueueLane<Item>] | undefined;
  for (const entry of state.lanes) if (longest === undefined || countLane(entry[1]) > countLane(longest[1])) longest = entry;
  if (longest === undefined || countLane(longest[1]) <= above) return undefined;
  const [key, lane] = longest;
  state.size -= 1;
  const last = lane.items.pop();
  if (countLane(lane) === 0) state.lanes.delete(key);
  return last;
};

const remove = <Item>(state: State<Item>, key: string, item: Item): boolean => {
  const lane = state.lanes.get(key);
  const at = lane?.items.indexOf(item, lane.head) ?? -1;
  if (lane === undefined || at < 0) return false;
  lane.items.splice(at, 1);
  state.size -= 1;
  if (countLane(lane) === 0) state.lanes.delete(key);
  return true;
};

export const newFairQueue = <Item>(): FairQueue<Item> => {
  const state: State<Item> = { lanes: new Map(), size: 0 };
  return {
    size: () => state.size,
    sizeOf: (key) => {
      const lane = state.lanes.get(key);
      return lane === undefined ? 0 : countLane(lane);
    },
    push: (key, item) => push(state, key, item),
    next: (mayGo, isFit) => next(state, mayGo, isFit),
    take: (max) => (state.size <= max ? takeAll(state) : takeInTurn(state, max)),
    takeLate: (isLate) => takeLate(state, isLate),
    takeLastOfLongest: (above) => takeLastOfLongest(state, above),
    remove: (key, item) => remove(state, key, item),
  };
};
