import { planLift } from '@svc/operations/events/audit-log/plan-lift.ts';
import { type LogAlarm, recordLogAlarms } from '@svc/operations/events/audit-log/tell-log-alarms.ts';
import { liftTree } from '@svc/postgres/audit/log/lift-tree.ts';
import { change } from '@svc/postgres/change/change.ts';
import { readDatabaseTime } from '@svc/postgres/connection/read-database-time.ts';
import type { DatabaseAccess } from '../break-glass/reach-database.ts';
import { LaunchFault } from '../faults/launch-fault.ts';
import { createOperatorContext } from '../operator/operator-context.ts';
import { openAuditLogs } from './open-audit-logs.ts';
import { findOrganizationByIdOrName } from './organization-called.ts';
import type { AdminCommand } from './read-command.ts';

type Lifting = Extract<AdminCommand, { readonly verb: 'lift-audit-log' }>;

/** Releases a held log if it matches what was signed; returns the lines to show. */
export const liftAuditLog = async (reached: DatabaseAccess, { organization, reason }: Lifting): Promise<readonly string[]> => {
  const { app, identity, reader } = reached;
  const { id, name } = await findOrganizationByIdOrName(identity, organization);
  const { read, log } = (await openAuditLogs(reached))(id);
  const plan = await planLift(read, log);
  if ('faults' in plan) throw new LaunchFault(`${name} (${id}) stays held:`, ...plan.faults.map((fault) => `  ${fault}`));
  const { seen, tree, unsealed } = plan;
  const lifted = { by: 'OPERATOR', reason, tree_size: tree.size, held_since: seen.held_since, sealed_late: unsealed };
  if (!(await liftTree(reader, { organizationId: id, seen, tree, lifted })))
    throw new LaunchFault(`${name} (${id}) was changed during the check. Run the command again.`);
  const now = new Date(await readDatabaseTime(app));
  await change<LogAlarm, void>(app, createOperatorContext('admin', id, now), (each) => recordLogAlarms(each, id));
  return [
    `${name} (${id})`,
    `  All ${tree.size} leaves, their events and checkpoints match the signed log. The log resumes.`,
    `  ${unsealed} events were recorded since ${seen.held_since} and are sealed now. Earlier changes of them cannot be detected; check these events.`,
  ];
};
