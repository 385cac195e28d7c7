import path from 'node:path';
import { findOrganizations } from '@svc/postgres/tenancy/organization/find-organizations.ts';
import { reachDatabase } from './break-glass/reach-database.ts';
import { type BreakGlassCommand, readBreakGlassCommand, requestsHelp, USAGE } from './break-glass/read-command.ts';
import { stopAll } from './break-glass/stop-all.ts';
import { LaunchFault } from './faults/launch-fault.ts';
import { escapeLine } from './operator/escape-line.ts';
import { runCommand } from './operator/run-command.ts';
import { readLauncherSettings } from './settings/settings.ts';

/**
 * npm run ops -- break-glass
 *
 * Emergency stop for the operator of the machine, independent of every lockout.
 */
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
    console.log([`${organization.name} (${organization.id})`, ...told.map(({ line }) => `  ${line}`)].map(escapeLine).join('\n'));
    return told.every(({ ok }) => ok);
  } finally {
    await close();
  }
};

process.exitCode = await runCommand({ usage: USAGE, asksForHelp: requestsHelp, read: readBreakGlassCommand, run });
