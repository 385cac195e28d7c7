import { sql } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import type { StoredTool } from './tools.ts';

/** Maximum number of identifiers shown with a count. */
const TOLD_MAX = 100;
/** Maximum number of authorized agents examined per tool. */
const AGENTS_MAX = 1_000;

export type HoldingAgent = { readonly agent_id: string; readonly name: string; readonly holds: boolean; readonly will_hold: boolean };

/** Open approvals for a tool: how many, and the first of them. */
export const readOpenApprovals = async (
  tx: TenantTransaction,
  organizationId: string,
  { id, environment_id }: Pick<StoredTool, 'id' | 'environment_id'>,
): Promise<{ total: number; ids: string[] }> => {
  const { rows } = await sql<{ total: number; ids: string[] }>`
    select count(*)::int as total, coalesce((array_agg(p.id order by p.id))[1:${TOLD_MAX}], '{}') as ids
      from approvals p join actions a on a.organization_id = p.organization_id and a.id = p.action_id
     where p.organization_id = ${organizationId} and p.environment_id = ${environment_id} and p.status in ('PENDING', 'APPROVED')
       and a.tool_id = ${id}`.execute(tx);
  return rows[0] ?? { total: 0, ids: [] };
};

/** Agents authorized for a tool, and whether they hold its capability as it is and as it would be. */
export const readHoldingAgents = async (
  tx: TenantTransaction,
  organizationId: string,
  toolId: string,
  capability: { readonly before: string; readonly after: string },
): Promise<HoldingAgent[]> => {
  const holds = (name: string) => sql<boolean>`exists (select from agent_capabilities c where c.organization_id = t.organization_id
    and c.agent_id = t.agent_id and c.capability = ${name})`;
  const { rows } = await sql<HoldingAgent>`
    select t.agent_id, a.name, ${holds(capability.before)} as holds, ${holds(capability.after)} as will_hold
      from tool_agents t join agents a on a.organization_id = t.organization_id and a.id = t.agent_id
     where t.organization_id = ${organizationId} and t.tool_id = ${toolId} order by t.agent_id limit ${AGENTS_MAX}`.execute(tx);
  return rows;
};

/** Counts active delegations that name a tool. */
export const countNamingDelegations = async (
  tx: TenantTransaction,
  organizationId: string,
  { id, name }: Pick<StoredTool, 'id' | 'name'>,
): Promise<number> => {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from delegations
     where organization_id = ${organizationId} and status = 'ACTIVE' and tools && array[${id}, ${name}]::text[]`.execute(tx);
  return rows[0]?.total ?? 0;
};
