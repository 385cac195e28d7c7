import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { clusterExists } from '@svc/database-server/cluster/create-cluster.ts';
import { layOut } from '@svc/database-server/cluster/data-layout.ts';
import { buildOwnerUrl } from '@svc/database-server/cluster/owner-url.ts';
import { findServerProcesses } from '@svc/database-server/postmaster/find-server-processes.ts';
import { newEventAuthenticator } from '@svc/keyring/log/event-authenticator.ts';
import { deriveRoleLogin } from '@svc/keyring/sealed/installation.ts';
import { openInstallationKey } from '@svc/operations/service/keys/open-installation-key.ts';
import { connect, type Database, type DatabaseRole } from '@svc/postgres/connection/connect.ts';
import { readKeptKeys } from '@svc/postgres/migrate/installation-keys.ts';
import type { MasterKey } from '@svc/program/keys/master-key.ts';
import { parseMasterKey } from '../data-folder/master-key.ts';
import { openDatabase, removeCredentials } from '../database/prepare-database.ts';
import { LaunchFault } from '../faults/launch-fault.ts';
import type { LauncherSettings } from '../settings/settings.ts';

/** Longer than any request of the service: an operator waits, in an emergency. */
const TIMEOUT_MS = 30_000;

export const readConfiguredMasterKey = ({ masterKey, dataDir }: LauncherSettings): MasterKey => {
  if (masterKey !== undefined) return masterKey;
  if (!existsSync(dataDir)) throw new LaunchFault(`There is no service in ${dataDir}: name its folder with DATA_DIR.`);
  return parseMasterKey(dataDir, true);
};

export type DatabaseAccess = Readonly<Record<'app' | 'identity' | 'reader', Database>> & {
  /** The installation key, from which every other key is derived. */
  readonly masterKey: KeyObject;
  readonly close: () => Promise<void>;
};

/** Opens the database, and returns how to leave it as it was: an embedded one that is not running is started for that time. */
export const provideDatabase = async ({ dataDir, databaseUrl }: LauncherSettings) => {
  const found = { stop: async () => {} };
  if (databaseUrl !== undefined) return { ...found, url: databaseUrl };
  const url = buildOwnerUrl(dataDir);
  if (url !== undefined && findServerProcesses(layOut(dataDir).cluster).postmaster !== undefined) return { ...found, url };
  const { ownerUrl: started, stop } = await openDatabase(dataDir, undefined, (line) => console.error(line));
  return { url: started, stop: () => stop(NO_HURRY) };
};

const NO_HURRY = new Promise<never>(() => {});

/** Opens the key of an existing installation; creates none. */
const openKept = async (url: string, master: MasterKey): Promise<KeyObject> => {
  const kept = await readKeptKeys(url);
  if (kept.state === 'empty') throw new LaunchFault('There is no service in this database: start it once with npm start.');
  return (await openInstallationKey(kept, master)).key;
};

/**
 * Opens the database with the roles of the planes, using the master key only: no sign-in, session or plane is involved, so none of their
 * lockouts, rate limits or queues applies, while row-level security still holds and only rows can be changed.
 */
export const reachDatabase = async (settings: LauncherSettings): Promise<DatabaseAccess> => {
  const { dataDir, databaseUrl } = settings;
  if (databaseUrl === undefined && !clusterExists(layOut(dataDir)))
    throw new LaunchFault(`There is no database in ${dataDir}: name its folder with DATA_DIR, or set DATABASE_URL.`);
  const master = readConfiguredMasterKey(settings);
  const { url, stop } = await provideDatabase(settings);
  const masterKey = await openKept(url, master).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const authenticator = newEventAuthenticator(masterKey);
  const as = (role: DatabaseRole): Database =>
    connect({
      url: removeCredentials(url),
      role,
      ...deriveRoleLogin(masterKey, role),
      authenticator,
      connectionsMax: 4,
      timeoutMs: TIMEOUT_MS,
    });
  const [app, identity, reader] = [as('svc_app'), as('svc_identity'), as('svc_reader')];
  const close = async (): Promise<void> => {
    await Promise.all([app, identity, reader].map((each) => each.destroy()));
    await stop();
  };
  return { app, identity, reader, masterKey, close };
};
