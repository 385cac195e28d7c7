import { newRateTable } from '@svc/domain/money/rate-table.ts';
import type { EnvironmentSnapshot, ToolSnapshot } from '@svc/enforcement/snapshots.ts';
import { compileSet } from '@svc/policy/compile-set.ts';
import { type CompiledVersion, compileVersion, type PolicySource } from '@svc/policy/compile-version.ts';
import { sql } from 'kysely';
import type { Database } from '../connect.ts';
import { readRates } from '../exchange-rates.ts';
import { inTenant, type TenantTransaction } from '../in-tenant.ts';
import { type EnvironmentRow, fitEnvironment, fitRates } from './fit-environment.ts';
import type { ToolRow } from './fit-tool.ts';
import { type BoundRow, fitRules, mustFitBound } from './fit-version.ts';
import { prepareTool } from './prepare-tool.ts';

type Head = Omit<EnvironmentSnapshot, 'tools' | 'policies' | 'rates'>;

const readHead = async (tx: TenantTransaction, organizationId: string, environmentId: string): Promise<Head | undefined> => {
  const { rows } = await sql<EnvironmentRow>`
    select e.organization_id, e.workspace_id, e.id as environment_id, e.type, e.mode, e.paused_reason, e.paused_at is not null as is_paused, e.requires_delegation,
           o.base_currency, o.time_zone, p.epoch
      from environments e
      join organizations o on o.id = e.organization_id
      join environment_epochs p on p.organization_id = e.organization_id and p.environment_id = e.id
     where e.organization_id = ${organizationId} and e.id = ${environmentId}`.execute(tx);
  return rows[0] && fitEnvironment(rows[0]);
};

const readTools = async (tx: TenantTransaction, head: Head): Promise<ReadonlyMap<string, ToolSnapshot>> => {
  const { rows } = await sql<ToolRow>`
    select id, name, description, required_capability, kind, risk_rating, dangerous, status, disabled_reason, parameters_schema, amount_from,
           currency_from, destination_from, destination_allowlist, execution
      from tools where organization_id = ${head.organization_id} and environment_id = ${head.environment_id}`.execute(tx);
  return new Map(rows.map(prepareTool).flatMap((tool) => [[tool.name, tool] as const, [tool.id, tool] as const]));
};

const readVersions = async (tx: TenantTransaction, head: Head): Promise<readonly CompiledVersion[]> => {
  const { rows } = await sql<BoundRow & { readonly rules: string }>`
    select p.id as policy_id, p.name as policy_name, v.id as version_id, v.version_number, b.scope, b.target_id, v.rules::text as rules,
           v.currency, v.status, p.deleted_at is not null as is_deleted
      from policy_bindings b
      join policies p on p.organization_id = b.organization_id and p.id = b.policy_id
      join policy_versions v on v.organization_id = b.organization_id and v.policy_id = b.policy_id and v.status not in ('DRAFT', 'SUPERSEDED')
     where b.organization_id = ${head.organization_id}
       and case b.scope
             when 'ORGANIZATION' then true
             when 'WORKSPACE' then b.target_id = ${head.workspace_id}
             when 'ENVIRONMENT' then b.target_id = ${head.environment_id}
             when 'AGENT' then b.target_id in (select agent_id from agent_epochs where organization_id = ${head.organization_id}
                                            and environment_id = ${head.environment_id})
             else true
           end
     order by p.created_at, p.id`.execute(tx);
  return rows.map((row) => {
    mustFitBound(row);
    const { scope, target_id, rules, status: _, is_deleted: __, ...version } = row;
    const binding = { scope: scope as PolicySource['binding']['scope'], id: target_id };
    return compileVersion({ ...version, binding, body: { rules: fitRules(row.version_id, rules), tests: [] } });
  });
};

/**
 * Everything a decision reads about an environment. The epoch is read first: when a change commits meanwhile, the values may be newer
 * than the epoch, and recording a decision then finds that it moved.
 */
export const loadEnvironment = (
  database: Database,
  organizationId: string,
  environmentId: string,
): Promise<EnvironmentSnapshot | undefined> =>
  inTenant(database, { organization_id: organizationId }, async (tx) => {
    const head = await readHead(tx, organizationId, environmentId);
    if (!head) return undefined;
    const tools = await readTools(tx, head);
    const rates = newRateTable(head.base_currency, fitRates(await readRates(tx, organizationId)));
    return { ...head, tools, rates, policies: compileSet(await readVersions(tx, head)) };
  });
