import path from 'node:path';
import { isRefusedLogin } from '@svc/postgres/connection/is-unavailable.ts';
import { findOrganizations } from '@svc/postgres/tenancy/organization/find-organizations.ts';
import { reachDatabase } from './break-glass/reach-database.ts';
import { asksForHelp, type BreakGlassCommand, readBreakGlassCommand, USAGE } from './break-glass/read-command.ts';
import { stopAll } from './break-glass/stop-all.ts';
import { faultsOf } from './faults/faults-of.ts';
import { LaunchFault } from './faults/launch-fault.ts';
import { readLauncherSettings } from './settings/settings.ts';

/** npm run break-glass: the emergency stop for whoever operates the machine, past every lockout. */
const run = async (command: BreakGlassCommand): Promise<boolean> => {
  const { settings } = readLauncherSettings(process.env, path.resolve(import.meta.dirname, '..', '..', '..'));
  const { app, identity, close } = await reachDatabase(settings);
  try {
    const found = await findOrganizations(identity, command.organization);
    const [organization, ...others] = found;
    if (organization === undefined) throw new LaunchFault(`There is no organization with the id or the name "${command.organization}".`);
    if (others.length > 0)
      throw new LaunchFault(`Several organizations are called so; name one by its id: ${found.map(({ id }) => id).join(', ')}`);
    const told = await stopAll(app, organization.id, command);
    console.log([`${organization.name} (${organization.id})`, ...told.map(({ line }) => `  ${line}`)].join('\n'));
    return told.every(({ ok }) => ok);
  } finally {
    await close();
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
const command = readBreakGlassCommand(words);
if (asksForHelp(words)) {
  console.log(USAGE);
} else if (typeof command === 'string') {
  console.error(`${command}\n\n${USAGE}`);
  process.exitCode = 2;
} else {
  try {
    process.exitCode = (await run(command)) ? 0 : 1;
  } catch (error) {
    console.error(faultsOf(error)?.join('\n') ?? sentenceOf(error));
    process.exitCode = 1;
  }
}
