import { newFairQueue } from '@svc/turns/fair-queue.ts';
import { newDearHolders, QUANTUM_MS } from './dear-holders.ts';

/** Work that runs at once, or when it is its holder's turn [round-robin scheduling]. */
export type FairTurns = { readonly run: <Value>(holder: string, work: () => Promise<Value>) => Promise<Value> };

type Job = () => void;

/** What one turn of the event loop may take, and what of it is used up: measured as work runs, and noted for its holder. */
const newQuantum = ({ note }: ReturnType<typeof newDearHolders>) => {
  let spentMs = 0;
  return {
    isLeft: (): boolean => spentMs < QUANTUM_MS,
    renew: (): void => {
      spentMs = 0;
    },
    /** Begins the work; what it does once it has waited for something is not measured. */
    measure: <Value>(holder: string, work: () => Promise<Value>): Promise<Value> => {
      const began = performance.now();
      const working = work();
      const ended = performance.now();
      spentMs += ended - began;
      note(holder, ended - began, ended);
      return working;
    },
  };
};

/** The wait for the first of those that rest; off while somebody may go on. */
const newRest = (then: () => void) => {
  let timer: NodeJS.Timeout | undefined;
  return {
    isOn: (): boolean => timer !== undefined,
    /** `at` on the clock of `performance.now()`, in milliseconds. */
    until: (at: number): void => {
      timer = setTimeout(then, Math.max(1, at - performance.now()));
    },
    end: (): void => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
};

/**
 * Round-robin of the processor between holders, by requests. What a request does until it waits for something else is measured; where one
 * turn of the event loop has used up its quantum, the others wait for the next, and each holder has one before any has its second. So
 * whoever asks for something small waits for one dear request at most of whoever asks for many, and what is dear rests between for as long
 * as it took. While there is no more to do than fits in a turn, everything runs at once.
 */
export const newFairTurns = (): FairTurns => {
  const queue = newFairQueue<Job>();
  const dear = newDearHolders();
  const quantum = newQuantum(dear);
  let isDue = false;
  /** On while all that waits rests. */
  const rest = newRest(() => turn());
  const mayGo = (holder: string): boolean => dear.mayGo(holder, performance.now());
  const turn = (): void => {
    isDue = false;
    rest.end();
    quantum.renew();
    while (queue.size() > 0 && quantum.isLeft()) {
      const job = queue.next(mayGo);
      if (job === undefined) {
        rest.until(dear.restsUntil(performance.now()));
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
    const working = quantum.measure(holder, work);
    nextTurn();
    return working;
  };

  return {
    run: (holder, work) => {
      const goes = mayGo(holder);
      if (goes && quantum.isLeft() && (queue.size() === 0 || rest.isOn())) return measured(holder, work);
      return new Promise((resolve, reject) => {
        queue.push(holder, () => void measured(holder, work).then(resolve, reject));
        if (goes || !rest.isOn()) nextTurn();
      });
    },
  };
};
