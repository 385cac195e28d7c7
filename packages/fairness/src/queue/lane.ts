/** The items of one key. Served items stay before the head until there are many, so that serving moves nothing. */
export type QueueLane<Item> = { items: Item[]; head: number };

/** The number of served items kept before the head. */
const SERVED_KEPT_MAX = 256;

export const newLane = <Item>(first: Item): QueueLane<Item> => ({ items: [first], head: 0 });

export const countLane = <Item>({ items, head }: QueueLane<Item>): number => items.length - head;

/** Returns the lane, or a copy without the served items once there are many. */
export const servedLane = <Item>(lane: QueueLane<Item>): QueueLane<Item> =>
  lane.head < SERVED_KEPT_MAX ? lane : { items: lane.items.slice(lane.head), head: 0 };

/** Takes items from the front while the predicate holds. */
export const takeFront = <Item>(lane: QueueLane<Item>, isTaken: (item: Item) => boolean): Item[] => {
  const from = lane.head;
  for (let next = lane.items[lane.head]; next !== undefined && isTaken(next); next = lane.items[lane.head]) lane.head += 1;
  return lane.items.slice(from, lane.head);
};

export const takeFirst = <Item>(lane: QueueLane<Item>): Item | undefined => lane.items[lane.head++];

export const takeFirstFit = <Item>(lane: QueueLane<Item>, isFit: (item: Item) => boolean): Item | undefined => {
  const at = lane.items.findIndex((item, index) => index >= lane.head && isFit(item));
  return at < 0 ? undefined : lane.items.splice(at, 1)[0];
};
