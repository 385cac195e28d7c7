import { newFairQueue } from '@svc/fairness/queue/fair-queue.ts';

/** Schedules TLS handshakes; the first in an event-loop tick starts at once. */
export type HandshakeTurns = { readonly take: (tenant: string) => Promise<void> | undefined };

/**
 * TLS handshakes start one per event-loop tick, round-robin across organizations: each takes a fifth of a millisecond of the decision
 * thread,
 * and hundreds may be requested at once.
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
