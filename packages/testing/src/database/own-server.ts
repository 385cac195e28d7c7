import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type DatabaseServer, startDatabaseServer } from '@svc/database-server/start-database-server.ts';
import { migrate } from '@svc/postgres/migrate/migrate.ts';
import { getSignalTree } from '../processes/process-tree.ts';
import { connectAsOwner, type FreshDatabase } from './database.ts';
import { TEST_INSTALLATION } from './master-key.ts';

/** A database server for one test, which may stop it. */
export type OwnServer = {
  /** Its only database, migrated. Dropping it does nothing; `remove` removes everything. */
  readonly database: FreshDatabase;
  /** Restarts it after `stop` or `kill`, at the same address. */
  readonly start: () => Promise<void>;
  /** Asks it to shut down, and waits. */
  readonly stop: () => Promise<void>;
  /** Kills the server with all of its processes (kill -9). */
  readonly kill: () => Promise<void>;
  /** Halts all of its processes: connections stay open and nothing responds. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** Stops it and deletes its folder. */
  readonly remove: () => Promise<void>;
};

/** Creates a migrated database on a server of its own. */
export const startOwnServer = async (): Promise<OwnServer> => {
  const home = mkdtempSync(path.join(tmpdir(), 'svc-own-server-'));
  const run = (): Promise<DatabaseServer> => startDatabaseServer({ dataDir: path.join(home, 'data') });
  let server = await run();
  let frozen = false;
  const freeze = (halted: boolean): void => {
    getSignalTree(server.pid, halted ? 'SIGSTOP' : 'SIGCONT');
    frozen = halted;
  };
  const url = server.ownerUrl;
  await migrate(url, TEST_INSTALLATION);
  return {
    database: { url, client: () => connectAsOwner(url), drop: () => Promise.resolve() },
    start: async () => {
      server = await run();
    },
    stop: () => server.stop(),
    kill: async () => {
      getSignalTree(server.pid, 'SIGKILL');
      await server.exited;
      await server.stop();
    },
    freeze: () => freeze(true),
    thaw: () => freeze(false),
    remove: async () => {
      if (frozen) freeze(false);
      await server.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
};
