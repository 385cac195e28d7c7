import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newFairQueue } from '@svc/fairness/queue/fair-queue.ts';

type Heavy = { readonly held_bytes: number };
type Load<Snapshot> = (organizationId: string, id: string) => Promise<Snapshot | undefined>;

const { heavyBytesMin, heavyKnownMs, heavyKnownMax, heavyRestsCount, heavyRestMsMax } = LIMITS.snapshots;

/** Organizations with a recent heavy load, and until when they count as such. */
const newHeavyOnes = () => {
  const until = new Map<string, number>();
  return {
    has: (organizationId: string): boolean => (until.get(organizationId) ?? 0) > performance.now(),
    note: (organizationId: string, { held_bytes }: Heavy): void => {
      if (held_bytes < heavyBytesMin) return;
      until.delete(organizationId);
      until.set(organizationId, performance.now() + heavyKnownMs);
      const [oldest] = until.keys();
      if (until.size > heavyKnownMax && oldest !== undefined) until.delete(oldest);
    },
  };
};

/** Runs one at a time, round-robin by organization; after each the queue pauses for twice as long as it took. */
const newRestingLine = () => {
  const waiting = newFairQueue<() => void>();
  let isTaken = false;
  const passOn = (): void => {
    const next = waiting.next();
    isTaken = next !== undefined;
    next?.();
  };
  return async <Result>(organizationId: string, work: () => Promise<Result>): Promise<Result> => {
    if (isTaken) await new Promise<void>((resolve) => waiting.push(organizationId, resolve));
    isTaken = true;
    const began = performance.now();
    try {
      return await work();
    } finally {
      setTimeout(passOn, Math.min(heavyRestsCount * (performance.now() - began), heavyRestMsMax)).unref();
    }
  };
};

/**
 * Loads heavy snapshots in turn. An organization with more large environments than the cache holds could cause one load per decision, and
 * occupy the database and this
 * process. Loads of organizations with a recent heavy one run one after the other, throttled; no one
 * else waits for it.
 */
export const loadHeavyInTurn = <Snapshot extends Heavy>(load: Load<Snapshot>): Load<Snapshot> => {
  const heavy = newHeavyOnes();
  const inLine = newRestingLine();
  return async (organizationId, id) => {
    const once = () => load(organizationId, id);
    const snapshot = await (heavy.has(organizationId) ? inLine(organizationId, once) : once());
    if (snapshot !== undefined) heavy.note(organizationId, snapshot);
    return snapshot;
  };
};
