import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ProcessIdentity } from '@svc/database-server/system/process-identity.ts';
import { LaunchFault } from '../faults/launch-fault.ts';
import type { Stoppable } from '../stop/stop-in-order.ts';
import { createCrashCounter, getRestartDelayMs, waitUntilAborted } from './restart-pace.ts';
import { ENDED_FOR_DATABASE, type Plane, type PlaneOptions, type ReadyLine, startPlane } from './start-plane.ts';

/** A plane that is restarted when it dies. */
export type KeptPlane = Stoppable & {
  /** Returns the running process, or the last one. */
  readonly identity: () => ProcessIdentity;
  /** Result of its first start, as for a plane. */
  readonly ready: Promise<ReadyLine>;
  /** Resolves with a sentence when it is given up. */
  readonly broken: Promise<string>;
};

export type KeptPlaneOptions = Omit<PlaneOptions, 'main' | 'onWaiting'> & {
  /** Called before each start. */
  readonly mainOf: () => string;
  /** Called when a new process has replaced a dead one, with its ready line. */
  readonly onRestart: (line: ReadyLine | undefined) => void;
  readonly tell: (sentence: string) => void;
};

const { deathsMax, deathsWithinMs, backoffMsMax } = LIMITS.restarts;

/** Returns the ready line; undefined for a process that refuses to start, or takes too long and is killed. */
const readyOrEnded = async (plane: Plane, tell: (sentence: string) => void): Promise<ReadyLine | undefined> => {
  try {
    return await plane.ready;
  } catch (error) {
    if (!(error instanceof LaunchFault)) throw error;
    for (const fault of error.faults) tell(fault);
    await plane.stop(Promise.resolve());
    return undefined;
  }
};

/**
 * Starts a plane, and restarts it with backoff whenever it dies after being ready, on the same port and with the same settings. One that
 * dies too often is given up. Exits because of the database do not count.
 */
export const keepPlane = ({ onRestart, tell, mainOf, ...options }: KeptPlaneOptions): KeptPlane => {
  const stopping = new AbortController();
  const countDeath = createCrashCounter();
  const onWaiting = (reason: string): void => tell(`The ${options.name} waits: ${reason}`);
  const start = (): Plane => startPlane({ ...options, main: mainOf(), onWaiting });
  let plane = start();
  const { ready } = plane;

  const keep = async (): Promise<string> => {
    for (;;) {
      const how = await plane.ended;
      if (stopping.signal.aborted) return how;
      // A refusal by the database says nothing about the plane, and may pass.
      const isRefused = how === ENDED_FOR_DATABASE;
      const deaths = isRefused ? 0 : countDeath();
      if (deaths >= deathsMax) return describeEnd(options, how);
      const waitMs = isRefused ? backoffMsMax : getRestartDelayMs(deaths);
      tell(`The ${options.name} exited unexpectedly (${how}) and is being restarted. See its log, ${options.logFile}.`);
      await waitUntilAborted(sleep(waitMs, undefined, { ref: false }), stopping.signal);
      if (stopping.signal.aborted) return how;
      plane = start();
      onRestart(undefined);
      const line = await readyOrEnded(plane, (fault) => {
        if (!stopping.signal.aborted) tell(fault);
      });
      if (line === undefined) continue;
      tell(`The ${options.name} is ready again.`);
      onRestart(line);
    }
  };
  const broken = ready.then(keep);
  // `ready` reports a failed first start.
  void Promise.allSettled([broken]);
  const stop = async (hurry: Promise<unknown>): Promise<void> => {
    stopping.abort();
    await plane.stop(hurry);
  };
  return { name: options.name, identity: () => plane.identity, ready, broken, stop };
};

const describeEnd = ({ name, logFile }: Pick<PlaneOptions, 'name' | 'logFile'>, how: string): string =>
  `The ${name} exited unexpectedly ${deathsMax} times within ${deathsWithinMs / 1_000} s (the last time with ${how}), so everything is stopped; its log is ${logFile}.`;
