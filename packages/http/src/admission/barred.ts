import type { RateLimitState } from '@svc/shared-state/rate-limiter.ts';

/** Addresses without budget, each until its budget is full again. */
export type Barred = {
  readonly isEmpty: () => boolean;
  readonly find: (group: string) => RateLimitState | undefined;
  readonly add: (group: string, budget: RateLimitState) => void;
};

const KEPT_MAX = 10_000;

type Entry = { readonly budget: RateLimitState; readonly endsAtMs: number };

/** Creates a bounded set: beyond the bound the oldest entry is dropped. */
export const newBarred = (clock: () => number = () => performance.now()): Barred => {
  const entries = new Map<string, Entry>();
  return {
    isEmpty: () => entries.size === 0,
    find: (group) => {
      const entry = entries.get(group);
      if (entry === undefined) return undefined;
      const left = entry.endsAtMs - clock();
      if (left > 0) return { ...entry.budget, resetSeconds: Math.ceil(left / 1_000) };
      entries.delete(group);
      return undefined;
    },
    add: (group, budget) => {
      const now = clock();
      // Entries are in order of insertion, so roughly in order of their ends.
      for (const [known, { endsAtMs }] of entries) {
        if (endsAtMs > now && entries.size < KEPT_MAX) break;
        entries.delete(known);
      }
      entries.delete(group);
      entries.set(group, { budget, endsAtMs: now + budget.resetSeconds * 1_000 });
    },
  };
};
