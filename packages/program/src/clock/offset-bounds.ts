/** Bounds of the offset between monotonic time and the database's time, both in milliseconds. */
export type OffsetBounds = {
  readonly least: number;
  readonly most: number;
  /** Monotonic time of the measurement. */
  readonly atMs: number;
};

/** The maximum drift of two clocks per millisecond: several times that of quartz and of a slewed clock. */
const DRIFT = 0.001;

/** Returns the bounds that one answer proves: the database read its clock after the request left and before the answer arrived. */
export const computeOffsetBounds = (databaseMs: number, askedMs: number, answeredMs: number): OffsetBounds => ({
  least: databaseMs - answeredMs,
  most: databaseMs - askedMs,
  atMs: answeredMs,
});

/**
 * Returns the intersection of both bounds, the earlier widened by drift since then; undefined if they exclude each other: then the clock
 * was set.
 */
export const narrowed = (earlier: OffsetBounds, later: OffsetBounds): OffsetBounds | undefined => {
  const drift = (later.atMs - earlier.atMs) * DRIFT;
  const least = Math.max(later.least, earlier.least - drift);
  const most = Math.min(later.most, earlier.most + drift);
  return least <= most ? { least, most, atMs: later.atMs } : undefined;
};

/**
 * Returns the offset within the bounds that is closest to the wall clock's: the latency of a query does not make a correct wall clock less
 * precise.
 */
export const offsetWithin = ({ least, most }: OffsetBounds, ofWallClock: number): number => Math.min(Math.max(ofWallClock, least), most);
