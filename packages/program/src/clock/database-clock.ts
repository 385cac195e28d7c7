import { LIMITS } from '@svc/contract/tables/limits.ts';
import { computeOffsetBounds, narrowed, type OffsetBounds, offsetWithin } from './offset-bounds.ts';

/**
 * The reason why the time is uncertain. `apart`: seconds by which the wall clock is ahead; `set`: seconds by which the database's clock is
 * ahead of this process; `unknown`: seconds since the last answer of the database.
 */
export type ClockFault = { readonly kind: 'apart' | 'set' | 'unknown'; readonly seconds: number; readonly allowedSeconds: number };

export type DatabaseClock = {
  /**
   * The database's time, from memory. A step of the database's clock changes it only once the step is confirmed (see `ClockTerms`); until
   * then it
   * follows the monotonic clock. It goes back only with a confirmed step.
   */
  readonly now: () => Date;
  readonly nowMs: () => number;
  /** Undefined while the time is certain. */
  readonly fault: () => ClockFault | undefined;
  /** Asks the database for its time; one query at a time. Rejects if there is no answer. */
  readonly measure: () => Promise<void>;
};

/** Sources of time, in milliseconds; `monotonicMs` cannot be set. */
export type ClockSources = {
  readonly readDatabaseMs: () => Promise<number>;
  readonly monotonicMs: () => number;
  readonly wallMs: () => number;
};

export type ClockTerms = {
  /** The maximum skew between the wall clock and the database's. */
  readonly skewMaxSeconds: number;
  /** Called when the database's clock was set, with the step in milliseconds. */
  readonly onSet: (byMs: number) => void;
  /**
   * A step larger than `skewMaxSeconds` is followed once the database has kept the new time for so long and the wall clock agrees with it.
   * A process that never knew the time for sure follows at once. Default: `LIMITS.clock.confirmStepMs`.
   */
  readonly confirmStepMs?: number;
};

const setBy = (earlier: OffsetBounds, later: OffsetBounds): number =>
  later.least > earlier.most ? later.least - earlier.most : later.most - earlier.least;

/** Far less than the smallest maximum skew that can be set. */
const LOOK_HOLDS_MS = 50;

type Followed = {
  /** Returns what is added to monotonic time to get the database's time. */
  readonly offset: () => number;
  /** Monotonic time of the last answer. */
  readonly heardAtMs: () => number;
  /** Milliseconds by which the database's clock was set, while that is not confirmed. */
  readonly stepMs: () => number | undefined;
  readonly measure: () => Promise<void>;
};

/** A new time reported by the database, and since when. */
type Step = { readonly bounds: OffsetBounds; readonly sinceMs: number };

/** Keeps the offset within the bounds that the database's answers prove, and as close to the wall clock's as they allow. */
const follow = async (
  { readDatabaseMs, monotonicMs, wallMs }: ClockSources,
  terms: Required<ClockTerms>,
  onStep: () => void,
): Promise<Followed> => {
  const skewMaxMs = terms.skewMaxSeconds * 1000;
  const ask = async (): Promise<OffsetBounds> => {
    const askedMs = monotonicMs();
    const databaseMs = await readDatabaseMs();
    return computeOffsetBounds(databaseMs, askedMs, monotonicMs());
  };
  const ofWallClock = (): number => wallMs() - monotonicMs();
  const closest = (within: OffsetBounds): number => offsetWithin(within, ofWallClock());
  const agreesWithWallClock = (within: OffsetBounds): boolean => Math.abs(closest(within) - ofWallClock()) <= skewMaxMs;
  let bounds = await ask();
  let offset = closest(bounds);
  let heardAtMs = bounds.atMs;
  let step: Step | undefined;
  let wasSure = agreesWithWallClock(bounds);
  let underWay: Promise<void> | undefined;
  const adopt = (known: OffsetBounds): void => {
    bounds = known;
    offset = closest(known);
    step = undefined;
    wasSure ||= agreesWithWallClock(known);
  };
  const consider = (answer: OffsetBounds): void => {
    const same = step && narrowed(step.bounds, answer);
    if (same === undefined) terms.onSet(setBy(bounds, answer));
    step = { bounds: same ?? answer, sinceMs: same === undefined || step === undefined ? answer.atMs : step.sinceMs };
    const isConfirmed = !wasSure || answer.atMs - step.sinceMs >= terms.confirmStepMs;
    if (!isConfirmed || !agreesWithWallClock(step.bounds)) return;
    adopt(step.bounds);
    onStep();
  };
  const learn = async (): Promise<void> => {
    const answer = await ask();
    heardAtMs = answer.atMs;
    const both = narrowed(bounds, answer);
    if (both !== undefined) return adopt(both);
    const byMs = setBy(bounds, answer);
    if (Math.abs(byMs) > skewMaxMs) return consider(answer);
    terms.onSet(byMs);
    adopt(answer);
  };
  const measure = (): Promise<void> => {
    underWay ??= learn().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
  return {
    offset: () => offset,
    heardAtMs: () => heardAtMs,
    stepMs: () => step && closest(step.bounds) - offset,
    measure,
  };
};

/**
 * A clock that follows the database: monotonic time plus an offset bounded by the database's answers, so that only the database determines
 * the time. The wall clock is compared: if they are apart, one of them is wrong, and it is unknown which. The monotonic clock is compared
 * too:
 * when the database's clock is set, the process keeps its own time until the new time is confirmed or the old one is back.
 * Reading the time costs one reading of the monotonic clock, and no query.
 */
export const newDatabaseClock = async (sources: ClockSources, terms: ClockTerms): Promise<DatabaseClock> => {
  const { monotonicMs, wallMs } = sources;
  const { skewMaxSeconds } = terms;
  let latest = Number.NEGATIVE_INFINITY;
  const startOver = (): void => {
    latest = Number.NEGATIVE_INFINITY;
  };
  const { offset, heardAtMs, stepMs, measure } = await follow(sources, { confirmStepMs: LIMITS.clock.confirmStepMs, ...terms }, startOver);
  // A second answer, over a connection that is open by now, is more precise.
  await measure();
  const skewMaxMs = skewMaxSeconds * 1000;
  const nowMs = (): number => {
    const time = monotonicMs() + offset();
    if (time > latest) latest = time;
    return latest;
  };
  const getFault = (kind: ClockFault['kind'], ms: number): ClockFault => ({
    kind,
    seconds: Math.round(ms / 100) / 10,
    allowedSeconds: skewMaxSeconds,
  });
  const look = (): ClockFault | undefined => {
    const atMs = monotonicMs();
    const time = atMs + offset();
    const step = stepMs();
    if (step !== undefined) return getFault('set', step);
    const ahead = wallMs() - time;
    if (Math.abs(ahead) > skewMaxMs) return getFault('apart', ahead);
    const silentMs = atMs - heardAtMs();
    return silentMs > LIMITS.clock.unknownAfterMs ? getFault('unknown', silentMs) : undefined;
  };
  /** A reading is valid for a moment in which the wall clock has advanced normally. */
  let sureFrom = Number.POSITIVE_INFINITY;
  const fault = (): ClockFault | undefined => {
    const wall = wallMs();
    if (wall >= sureFrom && wall < sureFrom + LOOK_HOLDS_MS) return undefined;
    const found = look();
    sureFrom = found === undefined ? wall : Number.POSITIVE_INFINITY;
    return found;
  };
  const measureAndLook = async (): Promise<void> => {
    await measure();
    sureFrom = Number.POSITIVE_INFINITY;
  };
  return { now: () => new Date(nowMs()), nowMs, fault, measure: measureAndLook };
};
