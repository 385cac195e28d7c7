import { performance } from 'node:perf_hooks';

/** What the event loop may be at work at one go before whoever has most of it is held to keep others waiting. */
const LONG_MS = 3;
/** Whoever does rests for so many times as long ... */
const REST_COUNT = 2;
/** ... and a halt of the machine is not slept through a second time. */
const REST_MS_MAX = 50;
/** Fewer requests in one go are not much, nor is a smaller part of them. */
const RUNS_MIN = 4;
const PART_MIN = 1 / 4;

/**
 * Whoever asks for most of what the event loop does rests for twice as long as that took, while anybody else is there [a duty cycle of one
 * third]. Each of its requests may be small, so that none is dear; but a request of somebody else takes several turns of the loop, and in each
 * waits for all of them. One holder rests at a time: where several ask for much, the others have the time in which it does.
 */
export type HeavyHolder = {
  /** A piece of its work was begun. */
  readonly note: (holder: string) => void;
  /** A turn of the loop is over; only where it is shared does anybody rest. */
  readonly endTurn: (isShared: boolean, now: number) => void;
  readonly mayGo: (holder: string, now: number) => boolean;
  /** When it may go on; infinity where nobody rests. */
  readonly restsUntil: (now: number) => number;
};

/** For how long the event loop was at work since it was last asked, in milliseconds. */
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
