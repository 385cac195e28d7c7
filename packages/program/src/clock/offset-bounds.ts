/** Between what the offset lies that makes the database's time of monotonic time, both in milliseconds. */
export type OffsetBounds = {
  readonly least: number;
  readonly most: number;
  /** Monotonic time at which this was known. */
  readonly atMs: number;
};

/** How far two clocks may drift apart in a millisecond: several times what quartz and a slewed clock do. */
const DRIFT = 0.001;

/** What one answer proves: the database read its clock after it was asked, and before the answer was here. */
export const boundsOf = (databaseMs: number, askedMs: number, answeredMs: number): OffsetBounds => ({
  least: databaseMs - answeredMs,
  most: databaseMs - askedMs,
  atMs: answeredMs,
});

/** What both prove together, the earlier widened by drift since then; undefined when they exclude each other: then the clock was set. */
export const narrowed = (earlier: OffsetBounds, later: OffsetBounds): OffsetBounds | undefined => {
  const drift = (later.atMs - earlier.atMs) * DRIFT;
  const least = Math.max(later.least, earlier.least - drift);
  const most = Math.min(later.most, earlier.most + drift);
  return least <= most ? { least, most, atMs: later.atMs } : undefined;
};

/** The offset within the bounds that comes closest to the wall clock's: a wall clock that is right is not made worse by the way there and back. */
export const offsetWithin = ({ least, most }: OffsetBounds, ofWallClock: number): number => Math.min(Math.max(ofWallClock, least), most);
