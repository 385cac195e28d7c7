import { newFairQueue } from '@svc/fairness/queue/fair-queue.ts';

/** Whose handshake is begun next; it is there at once where none was begun in this turn of the event loop. */
export type HandshakeTurns = { readonly take: (tenant: string) => Promise<void> | undefined };

/**
 * One handshake is begun in each turn of the event loop, by one organization after the other: each takes a fifth of a millisecond of the thread
 * that decides for everybody, and hundreds may be asked for at once.
 */
export const newHandshakeTurns = (): HandshakeTurns => {
  const queue = newFairQueue<() => void>();
  let isTaken = false;
  const passOn = (): void => {
    const begin = queue.next();
    isTaken = begin !== undefined;
    if (begin === undefined) return;
    setImmediate(passOn);
    begin();
  };
  return {
    take: (tenant) => {
      if (isTaken) return new Promise((begin) => queue.push(tenant, begin));
      isTaken = true;
      setImmediate(passOn);
      return undefined;
    },
  };
};
