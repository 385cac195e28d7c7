import { newFairQueue } from '../queue/fair-queue.ts';
import { newQuantum } from './quantum.ts';
import { newRest } from './rest.ts';
import { newResting } from './resting.ts';

/** Runs work at once, or in the time slice of its holder [round-robin scheduling]. */
export type FairScheduler = { readonly run: <Value>(holder: string, work: () => Promise<Value>) => Promise<Value> };

type Job = () => void;

/**
 * Shares the event loop round-robin between holders, by requests. It measures what a request does until its first wait. Once a tick has
 * used
 * up its quantum, other requests wait for the next tick, and each holder gets one request before any gets its second. So a small request
 * waits for at most one expensive request of another holder, and expensive holders are throttled for as long as their work took. Holders
 * that
 * fill the event loop are throttled too. While all work fits into one tick, everything runs at once.
 */
export const newFairTurns = (): FairScheduler => {
  const queue = newFairQueue<Job>();
  const resting = newResting();
  const quantum = newQuantum(resting.note);
  let isDue = false;
  /** Armed while everything that waits is throttled. */
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
