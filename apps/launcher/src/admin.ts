import path from 'node:path';
import { helpPerson } from './admin/help-person.ts';
import { liftAuditLog } from './admin/lift-audit-log.ts';
import { liftNetworks } from './admin/lift-networks.ts';
import { listOwnersForOperator } from './admin/list-owners.ts';
import { type AdminCommand, readAdminCommand, requestsHelp, USAGE } from './admin/read-command.ts';
import { REWRAP_USAGE, type RewrapCommand, readRewrap } from './admin/rewrap/read-rewrap.ts';
import { runRewrap } from './admin/rewrap/run-rewrap.ts';
import { reportAuditLogs } from './admin/tell-audit-logs.ts';
import { type DatabaseAccess, reachDatabase } from './break-glass/reach-database.ts';
import { LaunchFault } from './faults/launch-fault.ts';
import { escapeLine } from './operator/escape-line.ts';
import { runCommand } from './operator/run-command.ts';
import { readLauncherSettings } from './settings/settings.ts';

const listLines = (reached: DatabaseAccess, command: AdminCommand): Promise<readonly string[]> => {
  if (command.verb === 'owners') return listOwnersForOperator(reached, command.organization);
  if (command.verb === 'audit-logs') return reportAuditLogs(reached);
  if (command.verb === 'lift-audit-log') return liftAuditLog(reached, command);
  return command.verb === 'lift-networks' ? liftNetworks(reached, command) : helpPerson(reached, command);
};

/** A parsed command: one that runs with the database roles of the planes, or one of the owner for the master key. */
type Asked = AdminCommand | RewrapCommand;

const isOfKeys = (command: Asked): command is RewrapCommand => ['rewrap', 'finish-rewrap', 'master-keys'].includes(command.verb);

/**
 * npm run ops -- admin
 *
 * Restores access for people whom no one else can help, for the operator of the machine.
 */
const run = async (command: Asked): Promise<boolean> => {
  const { settings, faults } = readLauncherSettings(process.env, path.resolve(import.meta.dirname, '..', '..', '..'));
  const ofKey = faults.filter((fault) => fault.includes('master key') || fault.startsWith('SVC_MASTER_KEY'));
  if (ofKey.length > 0) throw new LaunchFault(...ofKey);
  if (isOfKeys(command)) {
    await runRewrap(settings, command, (line) => console.log(line));
    return true;
  }
  const reached = await reachDatabase(settings);
  try {
    console.log((await listLines(reached, command)).map(escapeLine).join('\n'));
    return true;
  } finally {
    await reached.close();
  }
};

const usage = ['rewrap', 'master-keys'].includes(process.argv[2] ?? '') ? REWRAP_USAGE : USAGE;
process.exitCode = await runCommand({
  usage,
  asksForHelp: requestsHelp,
  read: (words) => readRewrap(words) ?? readAdminCommand(words),
  run,
});
