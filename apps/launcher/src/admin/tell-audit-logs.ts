import { planLift } from '@svc/operations/events/audit-log/plan-lift.ts';
import { listHeldLogs, listLogConflicts } from '@svc/postgres/audit/log/alarms.ts';
import type { DatabaseAccess } from '../break-glass/reach-database.ts';
import { openAuditLogs } from './open-audit-logs.ts';

const MAY_GO_ON = 'The stored log matches the signed log again. Run lift-audit-log to resume it.';

/** Reports audit logs that are held, with the reason, and those that conflict with their anchors. */
export const reportAuditLogs = async (reached: DatabaseAccess): Promise<readonly string[]> => {
  const [held, conflicts] = [await listHeldLogs(reached.identity), await listLogConflicts(reached.identity)];
  const open = await openAuditLogs(reached);
  const lines: string[] = [];
  for (const { organization_id, size, held_since } of held) {
    const { read, log } = open(organization_id);
    const plan = await planLift(read, log);
    lines.push(`${organization_id}  held since ${held_since}, with ${size} leaves`);
    lines.push(...('faults' in plan ? plan.faults : [MAY_GO_ON]).map((line) => `  ${line}`));
  }
  for (const { organization_id, anchor, size, reason, conflict_since } of conflicts)
    lines.push(
      `${organization_id}  another tree is known to ${anchor} since ${conflict_since}, which took ${size} leaves`,
      `  ${reason ?? ''}`,
    );
  return lines.length === 0 ? ['No audit log is held, and all match their external anchors.'] : lines;
};
