import { newFairQueue } from '../queue/fair-queue.ts';

export type FairLaneBounds = { readonly parallelMax: number; readonly waitingMax: number };

/** Runs work in the time slice of its key; returns null, without starting it, if the queue is full. */
export type FairLane = <Result>(key: string, work: () => Promise<Result>) => Promise<Result | null>;

/** Called with true when it is its time slice, or with false when it was evicted from the queue. */
type Waiting = (isTurn: boolean) => void;

/**
 * A lane of bounded work in which keys take turns, so that a key waits for at most one piece of each other key. When the queue is full, the
 * newest item of the longest key makes room for a key with fewer items.
 */
export const newFairLane = ({ parallelMax, waitingMax }: FairLaneBounds): FairLane => {
  const queue = newFairQueue<Waiting>();
  let running = 0;

  const makeRoom = (key: string): boolean => {
    const last = queue.takeLastOfLongest(queue.sizeOf(key) + 1);
    last?.(false);
    return last !== undefined;
  };
  const takeTurn = (key: string): Promise<boolean> | boolean => {
    if (running < parallelMax) {
      running += 1;
      return true;
    }
    if (queue.size() >= waitingMax && !makeRoom(key)) return false;
    return new Promise((settle) => queue.push(key, settle));
  };
  const passTurn = (): void => {
    const next = queue.next();
    if (next === undefined) running -= 1;
    else next(true);
  };

  return async (key, work) => {
    if (!(await takeTurn(key))) return null;
    try {
      return await work();
    } finally {
      passTurn();
    }
  };
};
