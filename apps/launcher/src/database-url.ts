import path from 'node:path';
import { ownerUrl } from '@svc/postgres/server/owner-url.ts';
import { readLauncherSettings } from './settings.ts';

/** Prints the owner's connection string, for psql and the like: psql "$(npm run -s db:url)" */
const { settings } = readLauncherSettings(process.env, path.resolve(import.meta.dirname, '..', '..', '..'));
const url = settings.databaseUrl ?? ownerUrl(settings.dataDir);
if (url === undefined) {
  console.error(`There is no database in ${settings.dataDir} yet: make one with npm start, or name its folder with DATA_DIR.`);
  process.exit(1);
}
console.log(url);
