export type BucketTerms = {
  /** What may come at once. */
  readonly burstMax: number;
  /** What comes back. */
  readonly perSecond: number;
  /** Buckets that are held; with one more the one that was used least lately goes, and begins full again. */
  readonly keysMax: number;
};

type Bucket = { readonly tokens: number; readonly atMs: number };

/**
 * Bounds how often something is done by each key [token bucket]: unlike a window, which starts anew as a whole, it never lets through more at
 * once than a burst. Takes one, and answers nothing, or the whole seconds until there is one again. `clock` is in milliseconds and never goes
 * back. Counts in this process alone.
 */
export const newTokenBuckets = ({ burstMax, perSecond, keysMax }: BucketTerms, clock: () => number = () => performance.now()) => {
  const buckets = new Map<string, Bucket>();
  return (key: string): number | undefined => {
    const nowMs = clock();
    const { tokens, atMs } = buckets.get(key) ?? { tokens: burstMax, atMs: nowMs };
    const there = Math.min(burstMax, tokens + ((nowMs - atMs) / 1000) * perSecond);
    // Behind the others, so that the first of them is the one used least lately.
    buckets.delete(key);
    if (buckets.size >= keysMax) buckets.delete(buckets.keys().next().value ?? '');
    buckets.set(key, { tokens: there < 1 ? there : there - 1, atMs: nowMs });
    return there < 1 ? Math.max(1, Math.ceil((1 - there) / perSecond)) : undefined;
  };
};
