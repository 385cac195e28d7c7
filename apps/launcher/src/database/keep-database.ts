import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseServer, startDatabaseServer } from '@svc/database-server/start-database-server.ts';
import { isUnavailable } from '@svc/postgres/connection/is-unavailable.ts';
import { listFaults } from '../faults/list-faults.ts';
import { getRestartAfterMs, newDeaths, waitUntilAborted } from '../planes/restart-pace.ts';
import type { Stoppable } from '../stop/stop-in-order.ts';
import { getConnectionError } from './prepare-database.ts';

export type KeptDatabase = Stoppable & {
  readonly ownerUrl: string;
  /** Rejects with a permanent fault; never resolves. */
  readonly broken: Promise<never>;
};

/**
 * Starts the embedded database and restarts it whenever it ends, with a bounded backoff and without limit: the programs wait for it
 * meanwhile. A restart cleans up after a killed server and recovers every committed row.
 */
export const keepDatabase = async (dataDir: string, tell: (line: string) => void): Promise<KeptDatabase> => {
  const stopping = new AbortController();
  const start = (): Promise<DatabaseServer> => startDatabaseServer({ dataDir, log: tell });
  let server = await start();
  const countDeath = newDeaths();
  const logFile = path.join(dataDir, 'postgres.log');

  /** Returns false if it must be retried. */
  const restart = async (): Promise<boolean> => {
    try {
      server = await start();
      return true;
    } catch (error) {
      // It may end again during the check.
      const faults =
        listFaults(error) ??
        (isUnavailable(error) ? [`The database ended again while it started (${getConnectionError(error)}).`] : undefined);
      if (faults === undefined) throw error;
      for (const fault of faults) tell(fault);
      return false;
    }
  };
  const keep = async (): Promise<void> => {
    for (;;) {
      await waitUntilAborted(server.exited, stopping.signal);
      if (stopping.signal.aborted) return;
      tell(`The database (process ${server.pid}) ended unexpectedly and is started again; its log is ${logFile}.`);
      // Removes the claim of the server that ended.
      await server.stop();
      for (let isUp = false; !isUp && !stopping.signal.aborted; ) {
        const deaths = countDeath();
        if (deaths > 1) await waitUntilAborted(sleep(getRestartAfterMs(deaths - 1), undefined, { ref: false }), stopping.signal);
        if (!stopping.signal.aborted) isUp = await restart();
      }
      if (!stopping.signal.aborted) tell(`The database runs again (process ${server.pid}).`);
    }
  };
  const keeping = keep();
  const broken = keeping.then(() => new Promise<never>(() => {}));
  void Promise.allSettled([broken]);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await Promise.allSettled([keeping]);
    await server.stop();
  };
  return { name: 'database', ownerUrl: server.ownerUrl, broken, stop };
};
