import { newRateTable } from '@svc/domain/money/fx-rates/rate-table.ts';
import type { CurrentFacts } from '@svc/enforcement/replay/recorded-action.ts';
import type { PolicySource } from '@svc/policy/judge/compile-version.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { readRates } from '../../money/fx-rates/fx-rates.ts';

type Environment = { readonly id: string; readonly workspace_id: string; readonly type: NonNullable<CurrentFacts['environment_type']> };

/** The current state that all recorded actions are judged with. */
export type ReplayState = Pick<CurrentFacts, 'base_currency' | 'time_zone' | 'rates'> & {
  readonly environments: ReadonlyMap<string, Environment>;
  /** The active versions of all policies but one, once for each binding. */
  readonly others: readonly PolicySource[];
};

type InForce = Omit<PolicySource, 'binding' | 'body'> & {
  readonly scope: PolicySource['binding']['scope'];
  readonly target_id: string;
  readonly rules: unknown;
};

/** The active versions of an organization's policies, once for each binding, without those of one policy. Their tests are left out. */
const readVersionsInForce = async (tx: TenantTransaction, organizationId: string, exceptPolicyId: string): Promise<PolicySource[]> => {
  const { rows } = await sql<InForce>`
    select p.id as policy_id, p.name as policy_name, v.id as version_id, v.version_number, v.currency, b.scope, b.target_id, v.rules
      from policy_bindings b
      join policies p on p.organization_id = b.organization_id and p.id = b.policy_id
      join policy_versions v on v.organization_id = b.organization_id and v.policy_id = b.policy_id and v.status = 'ACTIVE'
     where b.organization_id = ${organizationId} and p.id <> ${exceptPolicyId}
     order by p.id, b.id`.execute(tx);
  return rows.map(({ scope, target_id, rules, ...row }) => ({
    ...row,
    binding: { scope, id: target_id },
    body: { rules, tests: [] } as unknown as PolicySource['body'],
  }));
};

export const readReplayState = async (tx: TenantTransaction, organizationId: string, exceptPolicyId: string): Promise<ReplayState> => {
  const { base_currency, time_zone } = await tx
    .selectFrom('organizations')
    .select(['base_currency', 'time_zone'])
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  const environments = await tx
    .selectFrom('environments')
    .select(['id', 'workspace_id', 'type'])
    .where('organization_id', '=', organizationId)
    .execute();
  return {
    base_currency,
    time_zone,
    rates: newRateTable(base_currency, await readRates(tx, organizationId)),
    environments: new Map(environments.map((environment) => [environment.id, environment])),
    others: await readVersionsInForce(tx, organizationId, exceptPolicyId),
  };
};

type Agent = NonNullable<CurrentFacts['agent']>;
type Tool = NonNullable<CurrentFacts['tool']>;

/** Agents as they are today, by id. */
export const readCurrentAgents = async (
  tx: TenantTransaction,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Agent>> => {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Agent & { readonly id: string }>`
    select a.id, a.labels, a.created_at,
           array(select c.capability from agent_capabilities c
                  where c.organization_id = a.organization_id and c.agent_id = a.id order by c.capability) as capabilities
      from agents a where a.organization_id = ${organizationId} and a.id in (${sql.join(ids)})`.execute(tx);
  return new Map(rows.map(({ id, ...agent }) => [id, agent]));
};

/** Tools as they are today, by id. */
export const readCurrentTools = async (
  tx: TenantTransaction,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Tool>> => {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .selectFrom('tools')
    .select(['id', 'required_capability', 'risk_rating', 'dangerous', 'kind'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ id, ...tool }) => [id, tool]));
};
