import { existsSync } from 'node:fs';
import { SETTINGS } from '@svc/contract/tables/limits.ts';
import { clusterExists } from '@svc/database-server/cluster/create-cluster.ts';
import { layOut } from '@svc/database-server/cluster/data-layout.ts';
import type { MasterKey } from '@svc/program/keys/master-key.ts';
import { findSettingFaults } from '@svc/program/settings/read-setting.ts';
import { listMissingFolders, removeCreatedFolders } from '../data-folder/folders-to-make.ts';
import { getMasterKeyPath, parseMasterKey } from '../data-folder/master-key.ts';
import { provideDataFolder } from '../data-folder/provide-data-folder.ts';
import { claimRun, removeRun } from '../data-folder/run-claim.ts';
import { wasSetUp } from '../database/prepare-database.ts';
import { retryUntilDatabaseAnswers, type WaitTerms } from '../database/until-database-answers.ts';
import { LaunchFault } from '../faults/launch-fault.ts';
import { type LauncherSettings, readLauncherSettings } from '../settings/settings.ts';
import type { Stoppable } from '../stop/stop-in-order.ts';
import { checkPorts } from './check-ports.ts';

export type CheckedStart = { readonly settings: LauncherSettings; readonly ports: readonly number[]; readonly masterKey: MasterKey };

type Asked = { readonly env: NodeJS.ProcessEnv; readonly projectRoot: string; readonly started: Stoppable[][] };

/** Reports every fault that can be found before anything is started, together, and leaves nothing behind. Throws a LaunchFault. */
export const checkAll = async (
  { env, projectRoot, started }: Asked,
  waitTerms: (host: string, ports: readonly number[]) => WaitTerms,
): Promise<CheckedStart> => {
  const { settings, faults: own } = readLauncherSettings(env, projectRoot);
  const faults = [
    ...new Set([
      ...own,
      ...findSettingFaults(env, 'control-plane'),
      ...findSettingFaults(env, 'gateway'),
      ...findSettingFaults(env, 'worker'),
    ]),
  ];
  const { dataDir } = settings;
  // A misconfigured folder is not created.
  const isMeant = !faults.some((fault) => fault.startsWith(SETTINGS.dataFolder));
  const made = isMeant ? listMissingFolders(dataDir) : [];
  const folderFault = isMeant ? provideDataFolder(dataDir) : undefined;
  if (isMeant && folderFault === undefined) {
    const runFault = await claimRun(dataDir);
    if (runFault !== undefined) throw new LaunchFault(...faults, runFault);
    started.unshift([{ name: 'claim to the data folder', stop: async () => removeRun(dataDir) }]);
  }
  const { ports, faults: ofPorts } = await checkPorts(settings.host, [
    { setting: SETTINGS.controlPlanePort, port: settings.controlPlanePort },
    { setting: SETTINGS.gatewayPort, port: settings.gatewayPort },
  ]);
  const found = [...faults, ...(folderFault === undefined ? [] : [folderFault]), ...ofPorts];
  if (found.length > 0) {
    if (isMeant && folderFault === undefined) removeRun(dataDir);
    removeCreatedFolders(made);
    throw new LaunchFault(...found);
  }
  const isSetUp = () => retryUntilDatabaseAnswers(() => hasDatabase(settings), waitTerms(settings.host, ports));
  return { settings, ports, masterKey: settings.masterKey ?? parseMasterKey(dataDir, await isSetUp()) };
};

/** Checked before a key is created: a configured database may have been set up with a key stored elsewhere. */
const hasDatabase = async ({ dataDir, databaseUrl }: LauncherSettings): Promise<boolean> => {
  if (databaseUrl === undefined) return clusterExists(layOut(dataDir));
  return !existsSync(getMasterKeyPath(dataDir)) && (await wasSetUp(databaseUrl));
};
