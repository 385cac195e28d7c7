/** What waits of one key. What was served stands before the head until there is much of it, so that serving moves nothing. */
export type Lane<Item> = { items: Item[]; head: number };

/** So many that were served may stand before what waits until they are let go. */
const SERVED_KEPT_MAX = 256;

export const newLane = <Item>(first: Item): Lane<Item> => ({ items: [first], head: 0 });

export const countIn = <Item>({ items, head }: Lane<Item>): number => items.length - head;

/** The lane itself, or one without what was served. */
export const servedLane = <Item>(lane: Lane<Item>): Lane<Item> =>
  lane.head < SERVED_KEPT_MAX ? lane : { items: lane.items.slice(lane.head), head: 0 };

/** Takes from the front as long as it is told to. */
export const frontOf = <Item>(lane: Lane<Item>, isTaken: (item: Item) => boolean): Item[] => {
  const from = lane.head;
  for (let next = lane.items[lane.head]; next !== undefined && isTaken(next); next = lane.items[lane.head]) lane.head += 1;
  return lane.items.slice(from, lane.head);
};

export const takeFirst = <Item>(lane: Lane<Item>): Item | undefined => lane.items[lane.head++];

export const takeFirstFit = <Item>(lane: Lane<Item>, isFit: (item: Item) => boolean): Item | undefined => {
  const at = lane.items.findIndex((item, index) => index >= lane.head && isFit(item));
  return at < 0 ? undefined : lane.items.splice(at, 1)[0];
};
