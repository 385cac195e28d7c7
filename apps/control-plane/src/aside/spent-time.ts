/** Recent time of work by key. */
export type SpentTime = {
  readonly add: (key: string, ms: number) => void;
  readonly of: (key: string) => number;
};

type Spent = { readonly ms: number; readonly at: number };

const HALF_LIFE_MS = 60_000;
/** Number of keys that are remembered before keys whose time has decayed are dropped. */
const KEPT_MAX = 1_000;
const FORGOTTEN_MS = 10;

/**
 * Adds up the time of each key's work with exponential decay (half-life one minute), so that a key with much recent work waits, but not
 * forever.
 */
export const newSpentTime = (now: () => number = () => performance.now()): SpentTime => {
  const spent = new Map<string, Spent>();
  const of = (key: string): number => {
    const { ms, at } = spent.get(key) ?? { ms: 0, at: 0 };
    return ms === 0 ? 0 : ms * 0.5 ** ((now() - at) / HALF_LIFE_MS);
  };
  return {
    of,
    add: (key, ms) => {
      spent.set(key, { ms: of(key) + ms, at: now() });
      if (spent.size <= KEPT_MAX) return;
      for (const each of spent.keys()) if (of(each) < FORGOTTEN_MS) spent.delete(each);
    },
  };
};
