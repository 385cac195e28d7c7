import path from 'node:path';
import { LaunchFault } from '../faults/launch-fault.ts';
import { type LauncherSettings, readLauncherSettings } from '../settings/settings.ts';

/** Reads the settings of a command for operators; throws a LaunchFault that lists invalid ones. */
export const readOperatorSettings = (): LauncherSettings => {
  const { settings, faults } = readLauncherSettings(process.env, path.resolve(import.meta.dirname, '..', '..', '..', '..'));
  if (faults.length > 0) throw new LaunchFault(...faults);
  if (settings.databaseUrl !== undefined && settings.masterKey === undefined)
    throw new LaunchFault('The master key is not set: set SVC_MASTER_KEY, SVC_MASTER_KEY_FILE or SVC_MASTER_KEY_COMMAND.');
  return settings;
};
