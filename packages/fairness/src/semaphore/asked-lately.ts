export type AskedLately = {
  /** Notes that a key asks now. */
  readonly asks: (key: string) => void;
  /** Whether another key than this one asked within that time. */
  readonly besides: (key: string) => boolean;
};

/** Who asked last, and who before: of any number of keys these two tell whether others than one of them ask. */
export const newAskedLately = (withinMs: number, now: () => number = () => performance.now()): AskedLately => {
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
