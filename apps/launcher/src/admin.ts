import path from 'node:path';
import { helpPerson } from './admin/help-person.ts';
import { liftAuditLog } from './admin/lift-audit-log.ts';
import { liftNetworks } from './admin/lift-networks.ts';
import { type AdminCommand, asksForHelp, readAdminCommand, USAGE } from './admin/read-command.ts';
import { tellAuditLogs } from './admin/tell-audit-logs.ts';
import { tellOwners } from './admin/tell-owners.ts';
import { type Reached, reachDatabase } from './break-glass/reach-database.ts';
import { runCommand } from './operator/run-command.ts';
import { readLauncherSettings } from './settings/settings.ts';

const linesOf = (reached: Reached, command: AdminCommand): Promise<readonly string[]> => {
  if (command.verb === 'owners') return tellOwners(reached, command.organization);
  if (command.verb === 'audit-logs') return tellAuditLogs(reached);
  if (command.verb === 'lift-audit-log') return liftAuditLog(reached, command);
  return command.verb === 'lift-networks' ? liftNetworks(reached, command) : helpPerson(reached, command);
};

/** npm run admin: lets people in again whom nobody else can help, for whoever operates the machine. */
const run = async (command: AdminCommand): Promise<boolean> => {
  const { settings } = readLauncherSettings(process.env, path.resolve(import.meta.dirname, '..', '..', '..'));
  const reached = await reachDatabase(settings);
  try {
    console.log((await linesOf(reached, command)).join('\n'));
    return true;
  } finally {
    await reached.close();
  }
};

process.exitCode = await runCommand({ usage: USAGE, asksForHelp, read: readAdminCommand, run });
