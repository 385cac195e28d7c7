import { performance } from 'node:perf_hooks';

/** The busy time of the event loop after which its largest user counts as delaying others. */
const LONG_MS = 3;
/** Such a holder is throttled for this multiple of its time. */
const REST_COUNT = 2;
/** Caps the throttle, so that a pause of the machine does not double. */
const REST_MS_MAX = 50;
/** Fewer requests in one tick, or a smaller part of them, do not count. */
const RUNS_MIN = 4;
const PART_MIN = 1 / 4;

/**
 * Throttles the holder with most of the event loop's work for twice as long as that work took, while anyone else is active [duty cycle of
 * one
 * third]. Each of its requests may be small, so that none is expensive; but a request of another holder takes several ticks and waits in
 * each
 * for all of them. Only one holder is throttled at a time: where several are heavy, the others run in that time.
 */
export type HeavyHolder = {
  /** Records that a piece of the holder's work started. */
  readonly note: (holder: string) => void;
  /** Ends a tick of the event loop; throttles only if it is shared. */
  readonly endTurn: (isShared: boolean, now: number) => void;
  readonly mayGo: (holder: string, now: number) => boolean;
  /** Returns when the throttled holder may continue; infinity if none is throttled. */
  readonly restsUntil: (now: number) => number;
};

/** Returns the active time of the event loop since the last call, in milliseconds. */
const newActiveTime = (): (() => number) => {
  let before = performance.eventLoopUtilization().active;
  return () => {
    const { active } = performance.eventLoopUtilization();
    const since = active - before;
    before = active;
    return since;
  };
};

export const newHeavyHolder = (activeMs: () => number = newActiveTime()): HeavyHolder => {
  const runs = new Map<string, number>();
  let total = 0;
  let resting: string | undefined;
  let until = 0;
  const heaviest = (): string | undefined => {
    const [holder, count] = [...runs].reduce((most, one) => (one[1] > most[1] ? one : most), ['', 0] as [string, number]);
    return count >= RUNS_MIN && count > total * PART_MIN ? holder : undefined;
  };
  return {
    note: (holder) => {
      runs.set(holder, (runs.get(holder) ?? 0) + 1);
      total += 1;
    },
    endTurn: (isShared, now) => {
      const tookMs = activeMs();
      const heavy = isShared && tookMs > LONG_MS ? heaviest() : undefined;
      if (heavy !== undefined) {
        resting = heavy;
        until = now + Math.min(REST_COUNT * tookMs, REST_MS_MAX);
      }
      runs.clear();
      total = 0;
    },
    mayGo: (holder, now) => holder !== resting || now >= until,
    restsUntil: (now) => (until > now ? until : Number.POSITIVE_INFINITY),
  };
};
