import { type FairQueue, newFairQueue } from '../queue/fair-queue.ts';
import { newRecentKeys } from './recent-keys.ts';

/** Thrown if no share became free in time, of the organization or in all. */
export class NoShareError extends Error {
  /** True if the organization's own work caused the refusal, not the work of others. */
  readonly own: boolean;
  constructor(own: boolean) {
    super(`no connection came free in time: timeout of admission, ${own ? "the organization's own share is in use" : 'all are in use'}`);
    this.own = own;
  }
}

export type FairShares = {
  /** Runs work when a share is free, or throws a NoShareError. */
  readonly run: <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;
  /** The number of waiting calls. */
  readonly waiting: () => number;
};

export type ShareSettings = {
  readonly atOnceMax: number;
  /** The bound of one key within it. */
  readonly perKeyMax: number;
  /** The bound of a key while other keys were active recently. Without it, the bound never changes. */
  readonly besideOthers?: { readonly perKeyMax: number; readonly withinMs: number };
  /** The bound on waiting calls of one key. */
  readonly waitingPerKeyMax: number;
  readonly waitMsMax: number;
  /** The recent spending of a key: of those that wait, the one that spent least is next. Without it, the one served longest ago. */
  readonly spentBy?: (key: string) => number;
};

/** Returns the number of shares that a key may hold now. */
const newMost = ({ perKeyMax, besideOthers }: ShareSettings) => {
  if (besideOthers === undefined) return { asks: () => undefined, of: () => perKeyMax };
  const lately = newRecentKeys(besideOthers.withinMs);
  return { asks: lately.asks, of: (key: string) => (lately.besides(key) ? besideOthers.perKeyMax : perKeyMax) };
};

/** Counts the shares that each key holds. */
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

/** Admits one waiting call. */
type Waiting = () => void;

/** Returns the next call to admit. */
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

/** Resolves when the call is admitted; rejects if that takes too long or the key already has too many waiting calls. */
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
 * A fair semaphore: no key holds more than its share, and of the waiting keys the one served longest ago is next. Without a wait it costs
 * two
 * look-ups.
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
