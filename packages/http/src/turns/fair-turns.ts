import { newFairQueue } from '@svc/turns/fair-queue.ts';

/** Work that runs at once, or when it is its holder's turn [round-robin scheduling]. */
export type FairTurns = { readonly run: <Value>(holder: string, work: () => Promise<Value>) => Promise<Value> };

/** What may run in one turn of the event loop before others are heard. */
const QUANTUM_MS = 5;

type Job = () => void;

/**
 * Round-robin of the processor between holders, by requests. What a request does until it waits for something else is measured; where one
 * turn of the event loop has used up its quantum, the others wait for the next, and each holder has one before any has its second. So
 * whoever asks for something small waits for one dear request at most of whoever asks for many. While there is no more to do than fits in
 * a turn, everything runs at once.
 */
export const newFairTurns = (): FairTurns => {
  const queue = newFairQueue<Job>();
  let spentMs = 0;
  let isDue = false;

  const turn = (): void => {
    isDue = false;
    spentMs = 0;
    while (queue.size() > 0 && spentMs < QUANTUM_MS) queue.next()?.();
    if (queue.size() > 0) nextTurn();
  };
  const nextTurn = (): void => {
    if (isDue) return;
    isDue = true;
    setImmediate(turn);
  };
  const measured = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const began = performance.now();
    const working = work();
    spentMs += performance.now() - began;
    nextTurn();
    return working;
  };

  return {
    run: (holder, work) => {
      if (queue.size() === 0 && spentMs < QUANTUM_MS) return measured(work);
      return new Promise((resolve, reject) => {
        queue.push(holder, () => void measured(work).then(resolve, reject));
      });
    },
  };
};
