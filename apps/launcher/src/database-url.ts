import path from 'node:path';
import { buildOwnerUrl } from '@svc/database-server/cluster/owner-url.ts';
import { LaunchFault } from './faults/launch-fault.ts';
import { listFaults } from './faults/list-faults.ts';
import { readLauncherSettings } from './settings/settings.ts';
import { mayRun } from './start/only-help.ts';

const HELP = `Prints the owner's connection string of the database, password included, for psql and the like:

    psql "$(npm run -s ops -- db:url)"

The database is that of DATA_DIR, or the one DATABASE_URL names.`;

const print = (): void => {
  const { settings } = readLauncherSettings(process.env, path.resolve(import.meta.dirname, '..', '..', '..'));
  const url = settings.databaseUrl ?? buildOwnerUrl(settings.dataDir);
  if (url === undefined)
    throw new LaunchFault(`There is no database in ${settings.dataDir} yet: make one with npm start, or name its folder with DATA_DIR.`);
  console.log(url);
};

try {
  if (mayRun(process.argv.slice(2), HELP)) print();
} catch (error) {
  const faults = listFaults(error);
  if (faults === undefined) throw error;
  for (const fault of faults) console.error(fault);
  process.exitCode = 1;
}
