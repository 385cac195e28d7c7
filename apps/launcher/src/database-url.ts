import path from 'node:path';
import { ownerUrl } from '@svc/database-server/cluster/owner-url.ts';
import { faultsOf } from './faults/faults-of.ts';
import { LaunchFault } from './faults/launch-fault.ts';
import { readLauncherSettings } from './settings/settings.ts';

/** Prints the owner's connection string, for psql and the like: psql "$(npm run -s db:url)" */
const { settings } = readLauncherSettings(process.env, path.resolve(import.meta.dirname, '..', '..', '..'));
try {
  const url = settings.databaseUrl ?? ownerUrl(settings.dataDir);
  if (url === undefined)
    throw new LaunchFault(`There is no database in ${settings.dataDir} yet: make one with npm start, or name its folder with DATA_DIR.`);
  console.log(url);
} catch (error) {
  const faults = faultsOf(error);
  if (faults === undefined) throw error;
  for (const fault of faults) console.error(fault);
  process.exitCode = 1;
}
