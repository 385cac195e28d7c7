import type { IncidentRule } from '@svc/contract/incidents/incident-rules/incident-rules.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Insertable, sql, type Updateable } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';
import { countUpTo, type Listed, type ListedPart, listed } from '../../lists/listed.ts';

const COLUMNS = [
  ...(['id', 'workspace_id', 'environment_id', 'name', 'condition', 'score', 'code', 'key', 'count', 'within_seconds'] as const),
  ...(['severity', 'contain', 'reopen_minutes', 'enabled', 'created_by', 'created_at', 'updated_by', 'updated_at'] as const),
] as const;

const select = (tx: TenantTransaction, organizationId: string) =>
  tx.selectFrom('incident_rules').select(COLUMNS).where('organization_id', '=', organizationId);

/** Rules of an organization by environment, oldest first. */
export const listIncidentRules = (
  tx: TenantTransaction,
  organizationId: string,
  environmentId: string | undefined,
  part: ListedPart,
): Promise<Listed<IncidentRule>> => {
  const found = select(tx, organizationId).$if(environmentId !== undefined, (query) =>
    query.where('environment_id', '=', environmentId ?? ''),
  );
  return listed(
    part,
    ({ limit, offset }) => found.orderBy('environment_id').orderBy('id').limit(limit).offset(offset).execute() as Promise<IncidentRule[]>,
    (max) => countUpTo(tx, found, max),
  );
};

export const findIncidentRule = async (tx: TenantTransaction, organizationId: string, id: string): Promise<IncidentRule | undefined> =>
  (await select(tx, organizationId).where('id', '=', id).executeTakeFirst()) as IncidentRule | undefined;

/** Locks a rule for a change. */
export const lockIncidentRule = async (tx: TenantTransaction, organizationId: string, id: string): Promise<IncidentRule | undefined> =>
  (await select(tx, organizationId).where('id', '=', id).forUpdate().executeTakeFirst()) as IncidentRule | undefined;

/** Counts the rules of an environment. The caller holds the lock of the environment. */
export const countIncidentRules = (tx: TenantTransaction, organizationId: string, environmentId: string): Promise<number> =>
  countUpTo(
    tx,
    tx.selectFrom('incident_rules').select('id').where('organization_id', '=', organizationId).where('environment_id', '=', environmentId),
    LIMITS.incidentRules.rulesMax,
  );

export const insertIncidentRule = async (tx: TenantTransaction, row: Insertable<Tables['incident_rules']>): Promise<void> => {
  await tx.insertInto('incident_rules').values(row).execute();
};

export const updateIncidentRuleRow = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  row: Updateable<Tables['incident_rules']>,
): Promise<void> => {
  await tx.updateTable('incident_rules').set(row).where('organization_id', '=', organizationId).where('id', '=', id).execute();
};

/** Deletes a rule with its findings that no incident has yet. */
export const deleteIncidentRuleRow = async (tx: TenantTransaction, organizationId: string, id: string): Promise<void> => {
  await sql`
    with rule as (delete from incident_rules where organization_id = ${organizationId} and id = ${id} returning id),
         windows as (delete from incident_rule_windows where organization_id = ${organizationId} and rule_id = ${id})
    delete from incident_matches where organization_id = ${organizationId} and rule_id = ${id}`.execute(tx);
};
