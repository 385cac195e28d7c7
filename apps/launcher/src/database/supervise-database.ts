import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseServer, startDatabaseServer } from '@svc/database-server/start-database-server.ts';
import { isUnavailable } from '@svc/postgres/connection/is-unavailable.ts';
import { listFaults } from '../faults/list-faults.ts';
import { createCrashCounter, getRestartDelayMs, waitUntilAborted } from '../planes/restart-pace.ts';
import type { Stoppable } from '../stop/stop-in-order.ts';
import { getConnectionError } from './prepare-database.ts';

export type SupervisedDatabase = Stoppable & {
  readonly ownerUrl: string;
  /** Rejects with a permanent fault; never resolves. */
  readonly broken: Promise<never>;
};

/**
 * Starts the embedded database and restarts it after each exit, with a capped backoff and no limit on the number of restarts. The planes
 * wait until it runs again. A restart cleans up after a killed server and recovers every committed row.
 */
export const superviseDatabase = async (dataDir: string, log: (line: string) => void): Promise<SupervisedDatabase> => {
  const stopping = new AbortController();
  const start = (): Promise<DatabaseServer> => startDatabaseServer({ dataDir, log });
  let server = await start();
  const countDeath = createCrashCounter();
  const logFile = path.join(dataDir, 'postgres.log');

  /** Starts the server again. Returns false if the start failed and must be retried. */
  const restart = async (): Promise<boolean> => {
    try {
      server = await start();
      return true;
    } catch (error) {
      // The server can exit again during startup.
      const faults =
        listFaults(error) ??
        (isUnavailable(error) ? [`The database exited again during startup (${getConnectionError(error)}).`] : undefined);
      if (faults === undefined) throw error;
      for (const fault of faults) log(fault);
      return false;
    }
  };
  const supervise = async (): Promise<void> => {
    for (;;) {
      await waitUntilAborted(server.exited, stopping.signal);
      if (stopping.signal.aborted) return;
      log(`The database (process ${server.pid}) exited unexpectedly and is being restarted. See its log, ${logFile}.`);
      // Releases the claim of the exited server on the data directory.
      await server.stop();
      for (let isUp = false; !isUp && !stopping.signal.aborted; ) {
        const deaths = countDeath();
        if (deaths > 1) await waitUntilAborted(sleep(getRestartDelayMs(deaths - 1), undefined, { ref: false }), stopping.signal);
        if (!stopping.signal.aborted) isUp = await restart();
      }
      if (!stopping.signal.aborted) log(`The database is running again (process ${server.pid}).`);
    }
  };
  const supervision = supervise();
  const broken = supervision.then(() => new Promise<never>(() => {}));
  void Promise.allSettled([broken]);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await Promise.allSettled([supervision]);
    await server.stop();
  };
  return { name: 'database', ownerUrl: server.ownerUrl, broken, stop };
};
