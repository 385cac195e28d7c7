import type { SequentialRunner } from '@svc/enforcement/facts/decision-request.ts';

/** Runs work for one key sequentially, whether or not earlier work succeeded. */
export const newOneAtATime = (): SequentialRunner => {
  const lasts = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = lasts.get(key);
    const own = (async () => {
      await Promise.allSettled([before]);
      return work();
    })();
    lasts.set(key, own);
    try {
      return await own;
    } finally {
      if (lasts.get(key) === own) lasts.delete(key);
    }
  };
};
