import { newFairQueue } from '../queue/fair-queue.ts';

export type FairLaneBounds = { readonly parallelMax: number; readonly waitingMax: number };

/** Runs work in the turn of its key; null, without starting it, when there is no room for it. */
export type FairLane = <Result>(key: string, work: () => Promise<Result>) => Promise<Result | null>;

/** Told whether it is its turn now, or that it has lost its place in the line. */
type Waiting = (isTurn: boolean) => void;

/**
 * A lane of bounded work in which keys take turns, so that nobody waits for more than one piece of each of the others. When the queue is
 * full, whoever came last to the longest line makes room for a key that has less waiting.
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
