import { chmodSync, lstatSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { assertDurable } from '@svc/postgres/migrate/assert-durable.ts';
import { DatabaseServerFault } from '@svc/postgres/migrate/database-server-fault.ts';
import { chooseServerAccount, type ProcessAccount } from './account/choose-account.ts';
import { type Binaries, placeBinaries } from './binaries/place-binaries.ts';
import { bringUp, type RunningServer, type StartPlan } from './bring-up.ts';
import { clusterExists, createCluster, giveTree } from './cluster/create-cluster.ts';
import { type DataLayout, layOut } from './cluster/data-layout.ts';
import { buildOwnerUrl } from './cluster/owner-url.ts';
import { dropClaim, holdsClaim, isClaimed, takeClaim } from './postmaster/claim.ts';
import { readPostmasterPid } from './postmaster/find-server-processes.ts';
import { stopPostmaster } from './postmaster/stop-postmaster.ts';
import { makeFolder } from './system/make-folder.ts';
import { isAlive, type ProcessIdentity, signalProcess } from './system/process-identity.ts';
import { hasErrorCode } from './system/system-error.ts';

export type DatabaseServerOptions = {
  /** Created if it does not exist. */
  readonly dataDir: string;
  /** Receives one sentence for each event worth reporting to a person. */
  readonly log?: (line: string) => void;
  /** Also covers a crash recovery. 60,000 by default. */
  readonly readyTimeoutMs?: number;
  /** Settings of the server beyond or instead of the defaults; weakening durability makes the start fail. */
  readonly settings?: Readonly<Record<string, string>>;
};

export type DatabaseServer = {
  /** Connection string for pg and libpq, over the unix socket, as the superuser that owns everything. A secret. */
  readonly ownerUrl: string;
  /** True if the server was already running. */
  readonly adopted: boolean;
  readonly pid: number;
  /** Resolves when the server has exited, for any reason. */
  readonly exited: Promise<void>;
  /**
   * Stops the server and waits for it, unless it belongs to another living process: an adopted server is stopped only if the process that
   * started it died, since no one else would. Exiting the process does the same without the wait.
   */
  readonly stop: () => Promise<void>;
};

/** Starts PostgreSQL on a data folder, or adopts the server that runs there. Throws a DatabaseServerFault for what a person must fix. */
export const startDatabaseServer = async (options: DatabaseServerOptions): Promise<DatabaseServer> => {
  const log = options.log ?? (() => {});
  const layout = layOut(provideDataDir(options.dataDir));
  const account = chooseServerAccount(layout.cluster);
  const binaries = placeBinaries(layout.dataDir, account, log);
  provideCluster(layout, binaries, account, log);
  const plan: StartPlan = {
    layout,
    account,
    binaries,
    log,
    settings: options.settings ?? {},
    readyTimeoutMs: options.readyTimeoutMs ?? 60_000,
  };
  const answering = await bringUp(plan);
  await approve(answering);
  return handle(layout, answering);
};

const provideDataDir = (dataDir: string): string => {
  try {
    // Accessible to the server's own account if that is not ours; the secrets inside have permissions of their own.
    makeFolder(path.resolve(dataDir), process.geteuid?.() === 0 ? 0o711 : 0o700);
    return realpathSync(dataDir);
  } catch (error) {
    if (!hasErrorCode(error, 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT')) throw error;
    throw new DatabaseServerFault(`The data folder ${path.resolve(dataDir)} cannot be created. Choose a writable folder with DATA_DIR.`);
  }
};

const provideCluster = (layout: DataLayout, binaries: Binaries, account: ProcessAccount | undefined, log: (line: string) => void): void => {
  if (!clusterExists(layout)) {
    log(`Creating a new database in ${layout.cluster}.`);
    createCluster(layout, binaries, account);
  }
  if (!clusterExists(layout)) {
    throw new DatabaseServerFault(
      `${layout.cluster} contains other files but no database. Move them, or choose another folder with DATA_DIR.`,
    );
  }
  const major = readFileSync(path.join(layout.cluster, 'PG_VERSION'), 'utf8').trim();
  if (major !== binaries.version.split('.')[0]) {
    throw new DatabaseServerFault(
      `The database in ${layout.cluster} was created by PostgreSQL ${major}, but this is PostgreSQL ${binaries.version}. Migrate it with pg_upgrade or a dump, or choose another folder with DATA_DIR.`,
    );
  }
  const { uid, mode } = lstatSync(layout.cluster);
  if (account !== undefined && uid !== account.uid) giveTree(layout.cluster, account);
  // A restored backup often has open permissions, and PostgreSQL refuses such a folder.
  if ((mode & 0o077) !== 0) chmodSync(layout.cluster, 0o700);
};

const approve = async ({ client, postmaster, adopted }: RunningServer): Promise<void> => {
  let durable = false;
  try {
    await assertDurable(client);
    durable = true;
  } finally {
    await client.end();
    if (!durable && !adopted && postmaster !== undefined) await stopPostmaster(postmaster);
  }
};

const handle = (layout: DataLayout, { postmaster, adopted }: RunningServer): DatabaseServer => {
  const url = buildOwnerUrl(layout.dataDir);
  if (url === undefined) throw new Error('the answering server has no owner password');
  if (postmaster === undefined) {
    return { ownerUrl: url, adopted, pid: readPostmasterPid(layout.cluster) ?? 0, exited: new Promise(() => {}), stop: async () => {} };
  }
  const token = adopted && isClaimed(layout.claimFile) ? undefined : takeClaim(layout.claimFile);
  const isOurs = (): boolean => token !== undefined && holdsClaim(layout.claimFile, token);
  const onExit = (): void => {
    if (isOurs()) signalProcess(postmaster, 'SIGINT');
  };
  process.once('exit', onExit);
  const stop = async (): Promise<void> => {
    process.removeListener('exit', onExit);
    if (token === undefined || !isOurs()) return;
    await stopPostmaster(postmaster);
    dropClaim(layout.claimFile, token);
  };
  let stopping: Promise<void> | undefined;
  return { ownerUrl: url, adopted, pid: postmaster.pid, exited: whenGone(postmaster), stop: () => (stopping ??= stop()) };
};

const whenGone = (postmaster: ProcessIdentity): Promise<void> =>
  new Promise((resolve) => {
    const timer = setInterval(() => {
      if (isAlive(postmaster)) return;
      clearInterval(timer);
      resolve();
    }, 200).unref();
  });
