import { newFairQueue } from '@svc/turns/fair-queue.ts';
import { newDearHolders, QUANTUM_MS } from './dear-holders.ts';

/** Work that runs at once, or when it is its holder's turn [round-robin scheduling]. */
export type FairTurns = { readonly run: <Value>(holder: string, work: () => Promise<Value>) => Promise<Value> };

type Job = () => void;

/**
 * Round-robin of the processor between holders, by requests. What a request does until it waits for something else is measured; where one
 * turn of the event loop has used up its quantum, the others wait for the next, and each holder has one before any has its second. So
 * whoever asks for something small waits for one dear request at most of whoever asks for many, and what is dear rests between for as long
 * as it took. While there is no more to do than fits in a turn, everything runs at once.
 */
export const newFairTurns = (): FairTurns => {
  const queue = newFairQueue<Job>();
  const dear = newDearHolders();
  let spentMs = 0;
  let isDue = false;
  /** Set while all that waits rests. */
  let rest: NodeJS.Timeout | undefined;
  const mayGo = (holder: string): boolean => dear.mayGo(holder, performance.now());
  const turn = (): void => {
    isDue = false;
    clearTimeout(rest);
    rest = undefined;
    spentMs = 0;
    while (queue.size() > 0 && spentMs < QUANTUM_MS) {
      const job = queue.next(mayGo);
      if (job === undefined) {
        rest = setTimeout(turn, Math.max(1, dear.restsUntil() - performance.now()));
        return;
      }
      job();
    }
    if (queue.size() > 0) nextTurn();
  };
  const nextTurn = (): void => {
    if (isDue) return;
    isDue = true;
    setImmediate(turn);
  };
  const measured = <Value>(holder: string, work: () => Promise<Value>): Promise<Value> => {
    const began = performance.now();
    const working = work();
    const ended = performance.now();
    spentMs += ended - began;
    dear.note(holder, ended - began, ended);
    nextTurn();
    return working;
  };

  return {
    run: (holder, work) => {
      const goes = mayGo(holder);
      if (goes && spentMs < QUANTUM_MS && (queue.size() === 0 || rest !== undefined)) return measured(holder, work);
      return new Promise((resolve, reject) => {
        queue.push(holder, () => void measured(holder, work).then(resolve, reject));
        if (goes || rest === undefined) nextTurn();
      });
    },
  };
};
