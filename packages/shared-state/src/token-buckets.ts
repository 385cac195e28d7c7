export type BucketTerms = {
  /** The maximum burst. */
  readonly burstMax: number;
  /** The refill rate. */
  readonly perSecond: number;
  /** The maximum number of buckets; the least recently used one is evicted, and starts full again. */
  readonly keysMax: number;
};

type Bucket = { readonly tokens: number; readonly atMs: number };

/**
 * Limits the rate of each key [token bucket]: unlike a fixed window, which resets as a whole, it never admits more than a burst at once.
 * Takes
 * one use and returns undefined, or the whole seconds until the next one is free. `clock` is monotonic, in milliseconds. Counts in this
 * process only.
 */
export const newTokenBuckets = ({ burstMax, perSecond, keysMax }: BucketTerms, clock: () => number = () => performance.now()) => {
  const buckets = new Map<string, Bucket>();
  return (key: string): number | undefined => {
    const nowMs = clock();
    const { tokens, atMs } = buckets.get(key) ?? { tokens: burstMax, atMs: nowMs };
    const there = Math.min(burstMax, tokens + ((nowMs - atMs) / 1000) * perSecond);
    // Moved to the end, so that the first one is the least recently used.
    buckets.delete(key);
    if (buckets.size >= keysMax) buckets.delete(buckets.keys().next().value ?? '');
    buckets.set(key, { tokens: there < 1 ? there : there - 1, atMs: nowMs });
    return there < 1 ? Math.max(1, Math.ceil((1 - there) / perSecond)) : undefined;
  };
};
