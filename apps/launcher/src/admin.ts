import path from 'node:path';
import { helpPerson } from './admin/help-person.ts';
import { type AdminCommand, asksForHelp, readAdminCommand, USAGE } from './admin/read-command.ts';
import { tellOwners } from './admin/tell-owners.ts';
import { reachDatabase } from './break-glass/reach-database.ts';
import { runCommand } from './operator/run-command.ts';
import { readLauncherSettings } from './settings/settings.ts';

/** npm run admin: lets people in again whom nobody else can help, for whoever operates the machine. */
const run = async (command: AdminCommand): Promise<boolean> => {
  const { settings } = readLauncherSettings(process.env, path.resolve(import.meta.dirname, '..', '..', '..'));
  const reached = await reachDatabase(settings);
  try {
    const lines = command.verb === 'owners' ? await tellOwners(reached, command.organization) : await helpPerson(reached, command);
    console.log(lines.join('\n'));
    return true;
  } finally {
    await reached.close();
  }
};

process.exitCode = await runCommand({ usage: USAGE, asksForHelp, read: readAdminCommand, run });
