import { DatabaseServerFault } from '@svc/postgres/migrate/database-server-fault.ts';
import { grantPrograms } from '@svc/postgres/migrate/grant-programs.ts';
import { provideDatabase, readConfiguredMasterKey } from './break-glass/reach-database.ts';
import { migrateDatabase, ownDatabase } from './database/prepare-database.ts';
import { LaunchFault } from './faults/launch-fault.ts';
import { readOperatorSettings } from './operator/operator-settings.ts';
import { runCommand } from './operator/run-command.ts';

const USAGE = `Brings the schema of the database to this version, as a start does, and starts no program:

    npm run ops -- migrate
    npm run ops -- migrate --grant <login>   also lets an existing login start the programs

An empty database at DATABASE_URL is set up. It needs the login of the owner and the master key. All changes are one transaction.`;

type Command = { readonly login: string | undefined };

const read = ([option, login, ...others]: readonly string[]): Command | string => {
  if (option === undefined) return { login: undefined };
  if (option !== '--grant') return `${option} is not recognized.`;
  return login === undefined || others.length > 0 ? 'Name one login: --grant <login>.' : { login };
};

const grant = async (ownerUrl: string, login: string): Promise<void> => {
  try {
    await grantPrograms(ownerUrl, login);
  } catch (error) {
    throw error instanceof DatabaseServerFault ? new LaunchFault(error.message) : error;
  }
  console.log(`The login ${login} can start the programs.`);
};

const run = async ({ login }: Command): Promise<boolean> => {
  const settings = readOperatorSettings();
  const master = readConfiguredMasterKey(settings);
  const { url, stop } = await provideDatabase(settings);
  try {
    const database = { ...ownDatabase(url), isOwn: settings.databaseUrl !== undefined };
    const { applied, platformKey, unforgotten } = await migrateDatabase(database, master);
    for (const name of applied) console.log(`Applied ${name}`);
    console.log(applied.length === 0 ? 'The schema has this version; nothing was changed.' : `Applied ${applied.length} migrations.`);
    if (platformKey !== undefined) console.log(`Created the platform key ${platformKey}.`);
    if (unforgotten !== undefined) console.error(unforgotten);
    if (login !== undefined) await grant(database.ownerUrl, login);
    return true;
  } finally {
    await stop();
  }
};

const asksForHelp = (words: readonly string[]): boolean => words.includes('--help') || words.includes('-h');

process.exitCode = await runCommand({ usage: USAGE, asksForHelp, read, run });
