import { type FairQueue, newFairQueue } from '../queue/fair-queue.ts';
import { newAskedLately } from './asked-lately.ts';

/** Nobody was let in: the share of the organization, or all of it, was taken for longer than one waits. */
export class NoShareError extends Error {
  /** Whether what the organization itself does stood in the way, and not what others do. */
  readonly own: boolean;
  constructor(own: boolean) {
    super(`no connection came free in time: timeout of admission, ${own ? "the organization's own share is in use" : 'all are in use'}`);
    this.own = own;
  }
}

export type FairShares = {
  /** Runs work when there is room for it, or throws a NoShareError. */
  readonly run: <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;
  /** How many wait to be let in. */
  readonly waiting: () => number;
};

export type ShareSettings = {
  readonly atOnceMax: number;
  /** Of these, what one key has at the same time. */
  readonly perKeyMax: number;
  /** What it has while others have asked lately. Without it, as much as ever. */
  readonly besideOthers?: { readonly perKeyMax: number; readonly withinMs: number };
  /** What may wait of one key. */
  readonly waitingPerKeyMax: number;
  readonly waitMsMax: number;
  /** What each key has had lately: of those that wait, the one that had least is next. Without it, the one that was let in longest ago. */
  readonly spentBy?: (key: string) => number;
};

/** How much a key may hold just now. */
const newMost = ({ perKeyMax, besideOthers }: ShareSettings) => {
  if (besideOthers === undefined) return { asks: () => undefined, of: () => perKeyMax };
  const lately = newAskedLately(besideOthers.withinMs);
  return { asks: lately.asks, of: (key: string) => (lately.besides(key) ? besideOthers.perKeyMax : perKeyMax) };
};

/** How many of each key hold a share. */
const newHeld = (settings: ShareSettings) => {
  const most = newMost(settings);
  const held = new Map<string, number>();
  let atOnce = 0;
  return {
    asks: most.asks,
    hasAll: (key: string): boolean => (held.get(key) ?? 0) >= most.of(key),
    hasRoom: (key: string): boolean => atOnce < settings.atOnceMax && (held.get(key) ?? 0) < most.of(key),
    enter: (key: string): void => {
      atOnce += 1;
      held.set(key, (held.get(key) ?? 0) + 1);
    },
    leave: (key: string): void => {
      atOnce -= 1;
      const left = (held.get(key) ?? 1) - 1;
      if (left > 0) held.set(key, left);
      else held.delete(key);
    },
  };
};

type Held = ReturnType<typeof newHeld>;

/** Lets one in that waits. */
type Waiting = () => void;

/** The next to let in. */
const nextIn = (queue: FairQueue<Waiting>, held: Held, spentBy: ShareSettings['spentBy']): Waiting | undefined => {
  if (spentBy === undefined) return queue.next(held.hasRoom);
  let least: { readonly key: string; readonly spent: number } | undefined;
  queue.next((key) => {
    const spent = held.hasRoom(key) ? spentBy(key) : Number.POSITIVE_INFINITY;
    if (spent < (least?.spent ?? Number.POSITIVE_INFINITY)) least = { key, spent };
    return false;
  });
  return queue.next((key) => key === least?.key);
};

/** Resolves when it is let in, and rejects when that takes too long or too many of the key wait already. */
const waitInLine = (queue: FairQueue<Waiting>, key: string, held: Held, { waitingPerKeyMax, waitMsMax }: ShareSettings): Promise<void> =>
  new Promise((resolve, reject) => {
    if (queue.sizeOf(key) >= waitingPerKeyMax) return reject(new NoShareError(held.hasAll(key)));
    const goIn = (): void => {
      clearTimeout(timer);
      held.enter(key);
      resolve();
    };
    const timer = setTimeout(() => {
      queue.remove(key, goIn);
      reject(new NoShareError(held.hasAll(key)));
    }, waitMsMax);
    queue.push(key, goIn);
  });

/**
 * A semaphore that is shared fairly: no key holds more than its share, and of the keys that wait the one that was let in longest ago is next.
 * Without a wait it costs two look-ups.
 */
export const newFairShares = (settings: ShareSettings): FairShares => {
  const held = newHeld(settings);
  const queue = newFairQueue<Waiting>();
  const leave = (key: string): void => {
    held.leave(key);
    const next = () => nextIn(queue, held, settings.spentBy);
    for (let goIn = next(); goIn !== undefined; goIn = next()) goIn();
  };
  return {
    run: async (key, work) => {
      held.asks(key);
      if (held.hasRoom(key) && queue.sizeOf(key) === 0) held.enter(key);
      else await waitInLine(queue, key, held, settings);
      try {
        return await work();
      } finally {
        leave(key);
      }
    },
    waiting: queue.size,
  };
};
