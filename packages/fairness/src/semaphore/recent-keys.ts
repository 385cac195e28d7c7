export type RecentKeys = {
  /** Records a request of this key. */
  readonly asks: (key: string) => void;
  /** Returns true if a different key had a request within that time. */
  readonly besides: (key: string) => boolean;
};

/** Remembers the last two keys with requests: for any number of keys, these two show if keys other than a given one are active. */
export const newRecentKeys = (withinMs: number, now: () => number = () => performance.now()): RecentKeys => {
  let [last, before] = [
    { key: '', atMs: Number.NEGATIVE_INFINITY },
    { key: '', atMs: Number.NEGATIVE_INFINITY },
  ];
  return {
    asks: (key) => {
      if (key !== last.key) before = last;
      last = { key, atMs: now() };
    },
    besides: (key) => (key === last.key ? before : last).atMs > now() - withinMs,
  };
};
