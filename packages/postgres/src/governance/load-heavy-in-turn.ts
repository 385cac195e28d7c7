import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newFairQueue } from '@svc/fairness/queue/fair-queue.ts';

type Heavy = { readonly held_bytes: number };
type Load<Snapshot> = (organizationId: string, id: string) => Promise<Snapshot | undefined>;

const { heavyBytesMin, heavyKnownMs, heavyKnownMax, heavyRestsCount, heavyRestMsMax } = LIMITS.snapshots;

/** Organizations that had something heavy loaded lately, and until when they count as such. */
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

/** One goes at a time, the next of another organization in turn; after each nobody goes for twice as long as it took. */
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
 * Whoever has more environments with much in them than a process keeps could have one loaded for each decision, and keep the database and this
 * process at work with nothing else. What organizations load that had something heavy loaded lately goes one after the other, with rests; nobody
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
