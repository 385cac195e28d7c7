import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { IncidentRow } from '../incidents/incidents.ts';

/** Rule id and key of the incident that collects what is beyond the number of incidents that rules open in an hour. */
export const COLLECTING = { rule_id: 'too_many', rule_key: 'all' } as const;

const readNewest = (tx: TenantTransaction, organizationId: string, ruleId: string, key: string) =>
  tx
    .selectFrom('incidents')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('rule_id', '=', ruleId)
    .where('rule_key', '=', key)
    .orderBy('created_at', 'desc')
    .limit(1);

/** Locks the incident of a rule and key that is open or contained. */
export const lockActiveIncident = (
  tx: TenantTransaction,
  organizationId: string,
  ruleId: string,
  key: string,
): Promise<IncidentRow | undefined> =>
  readNewest(tx, organizationId, ruleId, key).where('status', 'in', ['OPEN', 'CONTAINED']).forUpdate().executeTakeFirst();

/** Locks the newest incident of a rule and key that was resolved after a time. */
export const lockResolvedIncident = (
  tx: TenantTransaction,
  organizationId: string,
  { ruleId, key, since }: { readonly ruleId: string; readonly key: string; readonly since: Date },
): Promise<IncidentRow | undefined> =>
  readNewest(tx, organizationId, ruleId, key)
    .where('status', '=', 'RESOLVED')
    .where('resolved_at', '>=', since.toISOString())
    .forUpdate()
    .executeTakeFirst();

/** Incidents that rules opened, and agents that they paused, since a time. */
export const countAutomatic = async (
  tx: TenantTransaction,
  organizationId: string,
  since: Date,
): Promise<{ readonly opened: number; readonly paused: number }> => {
  const { rows } = await sql<{ opened: number; paused: number }>`
    select (select count(*)::int from incidents where organization_id = ${organizationId} and rule_id is not null and rule_id <> ${COLLECTING.rule_id}
               and created_at > ${since}) as opened,
           (select count(*)::int from incidents where organization_id = ${organizationId} and agent_paused_at > ${since}) as paused`.execute(
    tx,
  );
  return rows[0] ?? { opened: 0, paused: 0 };
};

/** The id of a tool by its name in an environment. */
export const findToolId = async (
  tx: TenantTransaction,
  organizationId: string,
  environmentId: string,
  name: string,
): Promise<string | undefined> =>
  (
    await tx
      .selectFrom('tools')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('environment_id', '=', environmentId)
      .where('name', '=', name)
      .executeTakeFirst()
  )?.id;

/** Counts findings in the entry of the rule. */
export const countInRuleEntry = async (
  tx: TenantTransaction,
  organizationId: string,
  incidentId: string,
  count: number,
  lastAt: string,
): Promise<void> => {
  await sql`
    update incident_entries set count = count + ${count}, last_at = greatest(last_at, ${lastAt})
     where organization_id = ${organizationId} and incident_id = ${incidentId} and fold_key = 'rule'`.execute(tx);
};
