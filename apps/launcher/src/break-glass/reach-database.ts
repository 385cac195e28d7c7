import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { clusterExists } from '@svc/database-server/cluster/create-cluster.ts';
import { layOut } from '@svc/database-server/cluster/data-layout.ts';
import { ownerUrl } from '@svc/database-server/cluster/owner-url.ts';
import { findServerProcesses } from '@svc/database-server/postmaster/find-server-processes.ts';
import { deriveRoleLogin } from '@svc/keyring/sealed/installation.ts';
import { readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import { connect, type Database, type DatabaseRole } from '@svc/postgres/connection/connect.ts';
import { provideMasterKey } from '../data-folder/master-key.ts';
import { openDatabase, withoutCredentials } from '../database/prepare-database.ts';
import { LaunchFault } from '../faults/launch-fault.ts';
import type { LauncherSettings } from '../settings/settings.ts';

/** Longer than any request of the service waits: it is the operator who waits, and in need. */
const TIMEOUT_MS = 30_000;

const keyTextOf = ({ masterKey, dataDir }: LauncherSettings): string => {
  if (masterKey !== undefined) return masterKey;
  if (!existsSync(dataDir)) throw new LaunchFault(`There is no service in ${dataDir}: name its folder with DATA_DIR.`);
  const provided = provideMasterKey(dataDir, true);
  if ('fault' in provided) throw new LaunchFault(provided.fault);
  return provided.text;
};

export type Reached = Readonly<Record<'app' | 'identity' | 'reader', Database>> & {
  readonly masterKey: KeyObject;
  readonly close: () => Promise<void>;
};

/** Where the database is, and how to leave it as it was found: an embedded one that nobody runs is started for as long. */
const provideDatabase = async ({ dataDir, databaseUrl }: LauncherSettings) => {
  const found = { stop: async () => {} };
  if (databaseUrl !== undefined) return { ...found, url: databaseUrl };
  const url = ownerUrl(dataDir);
  if (url !== undefined && findServerProcesses(layOut(dataDir).cluster).postmaster !== undefined) return { ...found, url };
  const { ownerUrl: started, stop } = await openDatabase(dataDir, undefined, (line) => console.error(line));
  return { url: started, stop: () => stop(NO_HURRY) };
};

const NO_HURRY = new Promise<never>(() => {});

/**
 * The database as the planes enter it, by the master key alone: no sign-in, no session and no plane is asked, so no lockout, budget or queue
 * of theirs is in the way, while row-level security still holds and nothing but rows can be changed.
 */
export const reachDatabase = async (settings: LauncherSettings): Promise<Reached> => {
  const { dataDir, databaseUrl } = settings;
  if (databaseUrl === undefined && !clusterExists(layOut(dataDir)))
    throw new LaunchFault(`There is no database in ${dataDir}: name its folder with DATA_DIR, or set DATABASE_URL.`);
  const masterKey = readMasterKey(keyTextOf(settings));
  if (!masterKey.ok) throw new LaunchFault(masterKey.reason);
  const { url, stop } = await provideDatabase(settings);
  const as = (role: DatabaseRole): Database =>
    connect({
      url: withoutCredentials(url),
      role,
      ...deriveRoleLogin(masterKey.key, role),
      connectionsMax: 4,
      timeoutMs: TIMEOUT_MS,
    });
  const [app, identity, reader] = [as('svc_app'), as('svc_identity'), as('svc_reader')];
  const close = async (): Promise<void> => {
    await Promise.all([app, identity, reader].map((each) => each.destroy()));
    await stop();
  };
  return { app, identity, reader, masterKey: masterKey.key, close };
};
