import { newFairQueue } from '../queue/fair-queue.ts';
import { newQuantum } from './quantum.ts';
import { newRest } from './rest.ts';
import { newResting } from './resting.ts';

/** Work that runs at once, or when it is its holder's turn [round-robin scheduling]. */
export type FairTurns = { readonly run: <Value>(holder: string, work: () => Promise<Value>) => Promise<Value> };

type Job = () => void;

/**
 * Round-robin of the processor between holders, by requests. What a request does until it waits for something else is measured; where one
 * turn of the event loop has used up its quantum, the others wait for the next, and each holder has one before any has its second. So
 * whoever asks for something small waits for one dear request at most of whoever asks for many, and what is dear rests between for as long
 * as it took. Whoever fills the loop rests as well. While there is no more to do than fits in a turn, everything runs at once.
 */
export const newFairTurns = (): FairTurns => {
  const queue = newFairQueue<Job>();
  const resting = newResting();
  const quantum = newQuantum(resting.note);
  let isDue = false;
  /** On while all that waits rests. */
  const rest = newRest(() => turn());
  const mayGo = (holder: string): boolean => resting.mayGo(holder, performance.now());
  const turn = (): void => {
    const now = performance.now();
    isDue = false;
    rest.end();
    resting.endTurn(quantum.renew(now), now);
    while (queue.size() > 0 && quantum.isLeft(performance.now())) {
      const job = queue.next(mayGo);
      if (job === undefined) {
        rest.until(resting.restsUntil(performance.now()));
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
      const now = performance.now();
      quantum.ask(holder, now);
      const goes = resting.mayGo(holder, now);
      if (goes && quantum.isLeft(now) && (queue.size() === 0 || rest.isOn())) return measured(holder, work);
      return new Promise((resolve, reject) => {
        queue.push(holder, () => void measured(holder, work).then(resolve, reject));
        if (goes || !rest.isOn()) nextTurn();
      });
    },
  };
};
