import path from 'node:path';
import { isRefusedLogin } from '@svc/postgres/connection/is-unavailable.ts';
import { helpPerson } from './admin/help-person.ts';
import { type AdminCommand, asksForHelp, readAdminCommand, USAGE } from './admin/read-command.ts';
import { tellOwners } from './admin/tell-owners.ts';
import { reachDatabase } from './break-glass/reach-database.ts';
import { faultsOf } from './faults/faults-of.ts';
import { readLauncherSettings } from './settings/settings.ts';

/** npm run admin: lets people in again whom nobody else can help, for whoever operates the machine. */
const run = async (command: AdminCommand): Promise<void> => {
  const { settings } = readLauncherSettings(process.env, path.resolve(import.meta.dirname, '..', '..', '..'));
  const reached = await reachDatabase(settings);
  try {
    const lines = command.verb === 'owners' ? await tellOwners(reached, command.organization) : await helpPerson(reached, command);
    console.log(lines.join('\n'));
  } finally {
    await reached.close();
  }
};

const sentenceOf = (error: unknown): string => {
  if (isRefusedLogin(error))
    return 'The database does not let this command in: the master key must be the one it was set up with, as SVC_MASTER_KEY or as master.key in the folder that DATA_DIR names.';
  return `The database could not be reached or asked: ${String(error)}`;
};

// Settings meant for another PostgreSQL must not bend the connections to the embedded one.
if (!process.env.DATABASE_URL) for (const name of Object.keys(process.env)) if (name.startsWith('PG')) delete process.env[name];
// Leaving tells an embedded database that was started here to stop.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const words = process.argv.slice(2);
const command = readAdminCommand(words);
if (asksForHelp(words)) {
  console.log(USAGE);
} else if (typeof command === 'string') {
  console.error(`${command}\n\n${USAGE}`);
  process.exitCode = 2;
} else {
  try {
    await run(command);
  } catch (error) {
    console.error(faultsOf(error)?.join('\n') ?? sentenceOf(error));
    process.exitCode = 1;
  }
}
