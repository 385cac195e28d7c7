/** Returns a percentile of ascending numbers; 0 if there are none. */
export const getPercentile = (sorted: ArrayLike<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** Returns the median of numbers in any order: the middle one, or the mean of the middle two. */
export const getMedian = (values: readonly number[]): number => {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
};
