import type { EmergencyControl } from '@svc/contract/incidents/emergency/emergency-shapes.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';

export type ExecutionRow = Selectable<Tables['emergency_executions']>;

export const insertExecution = async (tx: TenantTransaction, row: Insertable<Tables['emergency_executions']>): Promise<void> => {
  await tx.insertInto('emergency_executions').values(row).execute();
};

/** An execution, and whether what it did still holds. */
export type EmergencyStep = ExecutionRow & { readonly in_force: boolean };

const holds = sql<boolean>`not x.drill and case x.control
    when 'isolate-agent' then exists (select from agents a where a.organization_id = x.organization_id and a.id = x.target_id
      and a.status in ('ISOLATED', 'REVOKED', 'DECOMMISSIONED'))
    when 'pause-environment' then exists (select from environments e where e.organization_id = x.organization_id and e.id = x.target_id
      and (e.paused_at is not null or e.archived_at is not null))
    when 'disable-tool' then exists (select from tools t where t.organization_id = x.organization_id and t.id = x.target_id and t.status = 'DISABLED')
    when 'block-destination' then exists (select from blocked_destinations b where b.organization_id = x.organization_id
      and b.pattern = x.target_id and (b.expires_at is null or b.expires_at > now()))
    else true end`;

/** The containment steps of an incident, oldest first. */
export const readSteps = async (tx: TenantTransaction, organizationId: string, incidentId: string): Promise<readonly EmergencyStep[]> =>
  tx
    .selectFrom('emergency_executions as x')
    .selectAll('x')
    .select(holds.as('in_force'))
    .where('x.organization_id', '=', organizationId)
    .where('x.incident_id', '=', incidentId)
    .orderBy('x.id')
    .limit(LIMITS.incidents.stepsKeptMax)
    .execute();

type Last = {
  readonly control: EmergencyControl;
  readonly last_execution_at: string | null;
  readonly last_drill_at: string | null;
  readonly last_drill_by: string | null;
};

/** The last execution and drill of each control that was used. */
export const readLastExecutions = async (
  tx: TenantTransaction,
  organizationId: string,
  controls: readonly EmergencyControl[],
): Promise<Last[]> => {
  const newest = (drill: boolean, column: string) => sql`(select ${sql.ref(`x.${column}`)} from emergency_executions x
     where x.organization_id = ${organizationId} and x.control = c.control and x.drill = ${drill} order by x.executed_at desc limit 1)`;
  const { rows } = await sql<Last>`
    select c.control, ${newest(false, 'executed_at')} as last_execution_at, ${newest(true, 'executed_at')} as last_drill_at,
           ${newest(true, 'executed_by_id')} as last_drill_by
      from unnest(${[...controls]}::text[]) with ordinality as c (control, n) order by c.n`.execute(tx);
  return rows;
};
