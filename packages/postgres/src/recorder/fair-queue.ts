/** What waits, by key, and whose turn it is. Adding costs one look-up of the key; taking costs nothing more while all of it is taken. */
export type FairQueue<Item> = {
  readonly size: () => number;
  /** False when so many of this key wait already; then nothing was added. */
  readonly push: (key: string, item: Item, keyMax: number) => boolean;
  /** The next items at most: one of each key in turn, each key's in their order. */
  readonly take: (max: number) => Item[];
  /** Takes out of the front of each key what has waited too long. */
  readonly takeLate: (isLate: (item: Item) => boolean) => Item[];
};

/** So many that were served may stand before what waits until they are let go. */
const SERVED_KEPT_MAX = 256;

type Lane<Item> = { items: Item[]; head: number };

const waitingIn = <Item>({ items, head }: Lane<Item>): number => items.length - head;

const takeFront = <Item>(lane: Lane<Item>, isTaken: (item: Item) => boolean): Item[] => {
  const from = lane.head;
  for (let next = lane.items[lane.head]; next !== undefined && isTaken(next); next = lane.items[lane.head]) lane.head += 1;
  return lane.items.slice(from, lane.head);
};

const allIn = <Item>(lanes: ReadonlyMap<string, Lane<Item>>): Item[] => {
  const [first] = lanes.values();
  if (lanes.size === 1 && first?.head === 0) return first.items;
  return [...lanes.values()].flatMap(({ items, head }) => items.slice(head));
};

export const newFairQueue = <Item>(): FairQueue<Item> => {
  /** In the order in which they were last served; a key of which nothing waits is not in it. */
  let lanes = new Map<string, Lane<Item>>();
  let size = 0;

  const takeAll = (): Item[] => {
    const all = allIn(lanes);
    // A new map, since a cleared one's old table keeps what it held and points to the next: all of it would grow old together.
    lanes = new Map();
    size = 0;
    return all;
  };

  const takeInTurn = (max: number): Item[] => {
    const taken: Item[] = [];
    // A key that is put back is visited again after all others; the only one there is has all that is left.
    for (const [key, lane] of lanes) {
      if (taken.length === max) break;
      const part = lanes.size === 1 ? max - taken.length : 1;
      taken.push(...lane.items.slice(lane.head, lane.head + part));
      lane.head += part;
      lanes.delete(key);
      if (waitingIn(lane) > 0) lanes.set(key, lane.head < SERVED_KEPT_MAX ? lane : { items: lane.items.slice(lane.head), head: 0 });
    }
    size -= taken.length;
    return taken;
  };

  return {
    size: () => size,
    push: (key, item, keyMax) => {
      const lane = lanes.get(key);
      if (lane === undefined) lanes.set(key, { items: [item], head: 0 });
      else if (waitingIn(lane) >= keyMax) return false;
      else lane.items.push(item);
      size += 1;
      return true;
    },
    take: (max) => (size <= max ? takeAll() : takeInTurn(max)),
    takeLate: (isLate) => {
      const late: Item[] = [];
      for (const [key, lane] of lanes) {
        late.push(...takeFront(lane, isLate));
        if (waitingIn(lane) === 0) lanes.delete(key);
      }
      size -= late.length;
      return late;
    },
  };
};
