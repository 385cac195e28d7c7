import { LIMITS } from '@svc/contract/tables/limits.ts';
import { boundsOf, narrowed, type OffsetBounds, offsetWithin } from './offset-bounds.ts';

/** Why the time is not known for sure. `apart`: seconds the wall clock is ahead; `back`: seconds the database's clock went back; `unknown`: since when nobody told it. */
export type ClockFault = { readonly kind: 'apart' | 'back' | 'unknown'; readonly seconds: number; readonly allowedSeconds: number };

export type DatabaseClock = {
  /** The database's time, from memory. It never goes back, whatever the wall clock or the database's does. */
  readonly now: () => Date;
  readonly nowMs: () => number;
  /** Undefined while the time is known for sure. */
  readonly fault: () => ClockFault | undefined;
  /** Asks the database; at the same time only once. Rejects when it does not answer. */
  readonly measure: () => Promise<void>;
};

/** Where times come from, in milliseconds; `monotonicMs` is set by nobody. */
export type ClockSources = {
  readonly readDatabaseMs: () => Promise<number>;
  readonly monotonicMs: () => number;
  readonly wallMs: () => number;
};

export type ClockTerms = {
  /** How far the wall clock and the database's may be apart. */
  readonly skewMaxSeconds: number;
  /** Told that the database's clock was set, and by how many milliseconds at least. */
  readonly onSet: (byMs: number) => void;
};

const setBy = (earlier: OffsetBounds, later: OffsetBounds): number =>
  later.least > earlier.most ? later.least - earlier.most : later.most - earlier.least;

/** Far less than the least skew that can be allowed. */
const LOOK_HOLDS_MS = 50;

type Followed = {
  /** What turns monotonic time into the database's. */
  readonly offset: () => number;
  /** Monotonic time of the last answer. */
  readonly heardAtMs: () => number;
  readonly measure: () => Promise<void>;
};

/** Keeps the offset within what the database's answers prove, and as close to the wall clock's as they allow. */
const follow = async ({ readDatabaseMs, monotonicMs, wallMs }: ClockSources, onSet: ClockTerms['onSet']): Promise<Followed> => {
  const ask = async (): Promise<OffsetBounds> => {
    const askedMs = monotonicMs();
    const databaseMs = await readDatabaseMs();
    return boundsOf(databaseMs, askedMs, monotonicMs());
  };
  const closest = (within: OffsetBounds): number => offsetWithin(within, wallMs() - monotonicMs());
  let bounds = await ask();
  let offset = closest(bounds);
  let underWay: Promise<void> | undefined;
  const learn = async (): Promise<void> => {
    const answer = await ask();
    const both = narrowed(bounds, answer);
    if (both === undefined) onSet(setBy(bounds, answer));
    bounds = both ?? answer;
    offset = closest(bounds);
  };
  const measure = (): Promise<void> => {
    underWay ??= learn().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
  return { offset: () => offset, heardAtMs: () => bounds.atMs, measure };
};

/**
 * The clock of the database: monotonic time plus an offset that the database's answers bound, so that nothing but the database says what
 * time it is. The wall clock is compared: when they are apart, one of them is wrong, and nobody here knows which.
 * What time it is costs one reading of the monotonic clock, and no query.
 */
export const newDatabaseClock = async (sources: ClockSources, { skewMaxSeconds, onSet }: ClockTerms): Promise<DatabaseClock> => {
  const { monotonicMs, wallMs } = sources;
  const { offset, heardAtMs, measure } = await follow(sources, onSet);
  // A second answer, over a connection that is open by now, tells it more closely.
  await measure();
  const skewMaxMs = skewMaxSeconds * 1000;
  let latest = Number.NEGATIVE_INFINITY;
  const nowMs = (): number => {
    const time = monotonicMs() + offset();
    if (time > latest) latest = time;
    return latest;
  };
  const faultOf = (kind: ClockFault['kind'], ms: number): ClockFault => ({
    kind,
    seconds: Math.round(ms / 100) / 10,
    allowedSeconds: skewMaxSeconds,
  });
  const look = (): ClockFault | undefined => {
    const atMs = monotonicMs();
    const time = atMs + offset();
    if (latest - time > skewMaxMs) return faultOf('back', latest - time);
    const ahead = wallMs() - time;
    if (Math.abs(ahead) > skewMaxMs) return faultOf('apart', ahead);
    const silentMs = atMs - heardAtMs();
    return silentMs > LIMITS.clock.unknownAfterMs ? faultOf('unknown', silentMs) : undefined;
  };
  /** A look holds for a moment in which the wall clock has gone on as it should. */
  let sureFrom = Number.POSITIVE_INFINITY;
  const fault = (): ClockFault | undefined => {
    const wall = wallMs();
    if (wall >= sureFrom && wall < sureFrom + LOOK_HOLDS_MS) return undefined;
    const found = look();
    sureFrom = found === undefined ? wall : Number.POSITIVE_INFINITY;
    return found;
  };
  return { now: () => new Date(nowMs()), nowMs, fault, measure };
};
