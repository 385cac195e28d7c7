import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ProcessIdentity } from '@svc/database-server/system/process-identity.ts';
import { LaunchFault } from '../faults/launch-fault.ts';
import type { Stoppable } from '../stop/stop-in-order.ts';
import { type Plane, type PlaneOptions, type ReadyLine, startPlane } from './start-plane.ts';

/** A plane that is started again when it dies. */
export type KeptPlane = Stoppable & {
  /** Of the process that runs, or that ran last. */
  readonly identity: () => ProcessIdentity;
  /** As of a plane: what its first start came to. */
  readonly ready: Promise<ReadyLine>;
  /** Resolves with a sentence when it is given up. */
  readonly broken: Promise<string>;
};

export type KeptPlaneOptions = Omit<PlaneOptions, 'main'> & {
  /** Asked before each start. */
  readonly mainOf: () => string;
  /** Told when another process has taken the place of one that died, and what it said. */
  readonly onRestart: (line: ReadyLine | undefined) => void;
  readonly tell: (sentence: string) => void;
};

const { deathsMax, deathsWithinMs, backoffMs, backoffMsMax } = LIMITS.restarts;

/** The times of the deaths that still count. */
const newDeaths = () => {
  let times: number[] = [];
  return (): number => {
    const now = performance.now();
    times = [...times.filter((time) => now - time < deathsWithinMs), now];
    return times.length;
  };
};

const until = async (work: Promise<unknown>, signal: AbortSignal): Promise<void> => {
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await Promise.race([work, aborted]);
};

/** Undefined for one that refuses to start, or takes too long for it; then it is not running any more. */
const readyOrEnded = async (plane: Plane): Promise<ReadyLine | undefined> => {
  try {
    return await plane.ready;
  } catch (error) {
    if (!(error instanceof LaunchFault)) throw error;
    await plane.stop(Promise.resolve());
    return undefined;
  }
};

/**
 * Starts a plane, and starts it again with backoff whenever it dies once it was ready, on the same port and with the same settings. One that
 * dies too often is given up: what kills it so fast will not pass by itself.
 */
export const keepPlane = ({ onRestart, tell, mainOf, ...options }: KeptPlaneOptions): KeptPlane => {
  const stopping = new AbortController();
  const countDeath = newDeaths();
  const start = (): Plane => startPlane({ ...options, main: mainOf() });
  let plane = start();
  const { ready } = plane;

  const keep = async (): Promise<string> => {
    for (;;) {
      const how = await plane.ended;
      if (stopping.signal.aborted) return how;
      const deaths = countDeath();
      if (deaths >= deathsMax) return describeEnd(options, how);
      const waitMs = Math.min(backoffMs * 2 ** (deaths - 1), backoffMsMax);
      tell(`The ${options.name} ended unexpectedly (${how}) and is started again; its log is ${options.logFile}.`);
      await until(sleep(waitMs, undefined, { ref: false }), stopping.signal);
      if (stopping.signal.aborted) return how;
      plane = start();
      onRestart(undefined);
      const line = await readyOrEnded(plane);
      if (line === undefined) continue;
      tell(`The ${options.name} is ready again.`);
      onRestart(line);
    }
  };
  const broken = ready.then(keep);
  // A first start that fails is told by `ready`.
  void Promise.allSettled([broken]);
  const stop = async (hurry: Promise<unknown>): Promise<void> => {
    stopping.abort();
    await plane.stop(hurry);
  };
  return { name: options.name, identity: () => plane.identity, ready, broken, stop };
};

const describeEnd = ({ name, logFile }: Pick<PlaneOptions, 'name' | 'logFile'>, how: string): string =>
  `The ${name} ended unexpectedly ${deathsMax} times within ${deathsWithinMs / 1_000} s (the last time with ${how}), so everything is stopped; its log is ${logFile}.`;
