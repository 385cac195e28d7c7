import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { isOutage } from '@svc/postgres/connection/is-unavailable.ts';
import { announceWaiting } from '@svc/program/start/announce.ts';
import { refuseForDatabase } from '@svc/program/start/refuse-to-start.ts';
import type { Logger } from 'pino';
import { describeOutage, findDatabaseRefusal } from './database-refusal.ts';

/** A server that responds instead of a program that waits for its database. */
export type StandIn = {
  /** The port it listens on. */
  readonly port: number;
  readonly close: () => Promise<void>;
};

export type Startup = {
  /**
   * Retries a step of the start until the database responds. Meanwhile the stand-in has the port. Exits with a message that names the
   * remedy if the database refuses this program.
   */
  readonly retry: <Result>(step: () => Promise<Result>) => Promise<Result>;
  /** Returns the stand-in, if the program had to wait. */
  readonly standIn: () => StandIn | undefined;
  /** Closes the stand-in. Call it when the program itself responds. */
  readonly end: () => Promise<void>;
};

const leave = (): never => process.exit(0);
const STOPS = ['SIGTERM', 'SIGINT', 'disconnect'] as const;

/** Creates the startup of a program: `open` opens its stand-in, and is called only if the database does not respond. */
export const newStartup = (open: () => Promise<StandIn | undefined>, log: Logger): Startup => {
  let standIn: StandIn | undefined;
  let isWaiting = false;
  let hasEnded = false;
  const wait = async (error: unknown): Promise<void> => {
    isWaiting = true;
    log.error({ err: error }, 'waiting for the database');
    if (!hasEnded) {
      // Without its parent a waiting program would wait forever. There is nothing to complete.
      for (const stop of STOPS) process.on(stop, leave);
      standIn = await open();
    }
    announceWaiting(describeOutage(error));
  };
  const retry = async <Result>(step: () => Promise<Result>): Promise<Result> => {
    const { retryMs, retryMsMax } = LIMITS.startup;
    for (let waitMs: number = retryMs; ; waitMs = Math.min(2 * waitMs, retryMsMax)) {
      try {
        return await step();
      } catch (error) {
        const refused = findDatabaseRefusal(error);
        if (refused !== undefined) throw refuseForDatabase(refused);
        if (!isOutage(error)) throw error;
        if (!isWaiting) await wait(error);
      }
      await sleep(waitMs);
    }
  };
  const end = async (): Promise<void> => {
    hasEnded = true;
    if (!isWaiting) return;
    isWaiting = false;
    for (const stop of STOPS) process.removeListener(stop, leave);
    log.warn('the database answers; starting');
    await standIn?.close();
    standIn = undefined;
  };
  return { retry, standIn: () => standIn, end };
};
