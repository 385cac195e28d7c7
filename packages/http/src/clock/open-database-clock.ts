import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { readDatabaseTime } from '@svc/postgres/connection/read-database-time.ts';
import { newDatabaseClock } from '@svc/program/clock/database-clock.ts';
import { nameByClock } from '@svc/program/ids/new-id.ts';
import type { Logger } from 'pino';
import { describeClockFault, findClockRefusal } from './clock-refusal.ts';

export type PlaneClock = {
  /** The database's time. */
  readonly now: () => Date;
  /** Returns the refusal while the time is uncertain; undefined otherwise. */
  readonly refusal: () => Refusal<'DEPENDENCY_UNAVAILABLE'> | undefined;
  /** Reads the database's time unless it was just read. A failure shows in `refusal`. */
  readonly measure: () => Promise<void>;
  /** Measures now. True if the time is then certain. */
  readonly isSure: () => Promise<boolean>;
  readonly close: () => void;
};

export type PlaneClockSettings = { readonly database: Database; readonly skewMaxSeconds: number; readonly log: Logger };

/** Minimum interval of new measurements after refusals. */
const ASK_AGAIN_AFTER_MS = 250;

/**
 * Opens the clock of a plane: reads the database's time at once and then periodically, logs deviations, and provides what derives from it.
 */
export const openDatabaseClock = async ({ database, skewMaxSeconds, log }: PlaneClockSettings): Promise<PlaneClock> => {
  const clock = await newDatabaseClock(
    { readDatabaseMs: () => readDatabaseTime(database), monotonicMs: () => performance.now(), wallMs: () => Date.now() },
    {
      skewMaxSeconds,
      onSet: (byMs) => log.warn({ by_ms: Math.round(byMs) }, 'the clock of the database was changed, or this process was suspended'),
    },
  );
  nameByClock(clock.nowMs);
  let told: string | undefined;
  const tell = (): void => {
    const fault = clock.fault();
    if (fault?.kind === told) return;
    told = fault?.kind;
    if (fault) log.error({ clock: fault }, `${describeClockFault(fault)} Until then this process makes no decisions.`);
    else log.warn('the time is reliable again');
  };
  let askedMs = performance.now();
  const again = (): Promise<void> => {
    askedMs = performance.now();
    return clock.measure().then(tell, tell);
  };
  const timer = setInterval(() => void again(), LIMITS.clock.measureEveryMs).unref();
  tell();
  return {
    now: clock.now,
    refusal: () => {
      const fault = clock.fault();
      if (fault === undefined) return undefined;
      // The time may be certain again, for example after the machine slept.
      if (performance.now() - askedMs > ASK_AGAIN_AFTER_MS) void again();
      return findClockRefusal(fault);
    },
    measure: () => (performance.now() - askedMs < LIMITS.health.keptMs ? Promise.resolve() : again()),
    isSure: async () => {
      await again();
      return clock.fault() === undefined;
    },
    close: () => clearInterval(timer),
  };
};
