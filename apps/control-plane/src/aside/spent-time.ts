/** How much work each key has had done lately. */
export type SpentTime = {
  readonly add: (key: string, ms: number) => void;
  readonly of: (key: string) => number;
};

type Spent = { readonly ms: number; readonly at: number };

const HALF_LIFE_MS = 60_000;
/** So many keys are remembered until those are let go whose work is as good as forgotten. */
const KEPT_MAX = 1_000;
const FORGOTTEN_MS = 10;

/** Adds up the time of each key's work, of which half is forgotten in a minute [exponential decay], so that who works much now waits, and not for ever. */
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
