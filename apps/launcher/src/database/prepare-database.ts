import path from 'node:path';
import { startDatabaseServer } from '@svc/database-server/start-database-server.ts';
import { deriveInstallation } from '@svc/keyring/sealed/installation.ts';
import { readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import { DatabaseServerFault } from '@svc/postgres/migrate/database-server-fault.ts';
import { isSetUp, migrate } from '@svc/postgres/migrate/migrate.ts';
import { LaunchFault } from '../faults/launch-fault.ts';
import type { Stoppable } from '../stop/stop-in-order.ts';

export type RunningDatabase = Stoppable & {
  readonly ownerUrl: string;
  /** At an address of one's own rather than embedded. */
  readonly isOwn: boolean;
  /** Resolves with a sentence when an embedded database is gone. */
  readonly ended: Promise<string>;
};

/** The embedded database of the data folder, or the one at an address of one's own, which is nobody's here to stop. */
export const openDatabase = async (
  dataDir: string,
  databaseUrl: string | undefined,
  log: (line: string) => void,
): Promise<RunningDatabase> => {
  if (databaseUrl !== undefined)
    return { name: 'your database', ownerUrl: databaseUrl, isOwn: true, ended: new Promise(() => {}), stop: async () => {} };
  const server = await startDatabaseServer({ dataDir, log });
  return {
    name: 'database',
    ownerUrl: server.ownerUrl,
    isOwn: false,
    ended: server.exited.then(
      () => `The database (process ${server.pid}) ended unexpectedly; its log is ${path.join(dataDir, 'postgres.log')}.`,
    ),
    stop: server.stop,
  };
};

/** Brings the schema and the planes' roles up to date. */
export const migrateDatabase = async (database: RunningDatabase, masterKeyText: string): Promise<readonly string[]> => {
  const masterKey = readMasterKey(masterKeyText);
  if (!masterKey.ok) throw new LaunchFault(masterKey.reason);
  try {
    return (await migrate(database.ownerUrl, deriveInstallation(masterKey.key))).applied;
  } catch (error) {
    throw faultOf(error, database.isOwn);
  }
};

/** Whether the database at an address of one's own was set up before, so that it has a master key somewhere. */
export const wasSetUp = async (databaseUrl: string): Promise<boolean> => {
  try {
    return await isSetUp(databaseUrl);
  } catch (error) {
    throw faultOf(error, true);
  }
};

/** In a sentence, whatever the database or the way to it has against what was asked of it. */
const faultOf = (error: unknown, isOwn: boolean): LaunchFault => {
  if (error instanceof LaunchFault) return error;
  if (error instanceof DatabaseServerFault) return new LaunchFault(error.message);
  const why = reasonOf(error);
  if (!isOwn) return new LaunchFault(`The database could not be brought up to date: ${why}`);
  return new LaunchFault(
    `The database at DATABASE_URL could not be brought up to date (${why}): see that it runs, and that the address names a user who may create roles and tables in it.`,
  );
};

/** An address with several numbers behind it fails with one error for each, and no message of its own. */
export const reasonOf = (error: unknown): string =>
  error instanceof AggregateError && error.message === ''
    ? error.errors.map(reasonOf).join(', ')
    : error instanceof Error
      ? error.message
      : String(error);

/** Where the database is, without who enters it: the planes log in as roles of their own. */
export const withoutCredentials = (databaseUrl: string): string => {
  const url = new URL(databaseUrl.replace('@/', '@localhost/'));
  url.username = '';
  url.password = '';
  for (const name of ['user', 'password']) url.searchParams.delete(name);
  return url.href;
};
