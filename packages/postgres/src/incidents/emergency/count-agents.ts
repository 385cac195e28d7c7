import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type RawBuilder, sql } from 'kysely';
import { getStandingStatus } from '../../agents/agents/standing-status.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

const { countedMax, namedMax } = LIMITS.emergency;

type Named = { readonly id: string; readonly name: string };

/** Agents that a control stops, and what hangs on them. Each number ends at one more than `countedMax`. */
export type CountedAgents = {
  readonly agents: number;
  readonly named: readonly Named[];
  readonly sessions: number;
  readonly approvals: number;
  readonly executing: number;
};

/** Counts agents that are selected as `id`, and what hangs on those and on `with_them`. */
const countAgents = async (
  tx: TenantTransaction,
  organizationId: string,
  agents: RawBuilder<unknown>,
  now: Date,
): Promise<CountedAgents> => {
  const { rows } = await sql<CountedAgents>`
    with stopped as materialized (select f.id from (${agents}) f limit ${countedMax + 1})
    select (select count(*)::int from stopped) as agents,
           (select coalesce(json_agg(json_build_object('id', n.id, 'name', n.name)), '[]') from (
              select a.id, a.name from stopped s join agents a on a.organization_id = ${organizationId} and a.id = s.id
               order by a.id limit ${namedMax}) n) as named,
           (select count(*)::int from (select 1 from stopped a join agents g on g.organization_id = ${organizationId} and g.id = a.id
              join agent_sessions s on s.organization_id = g.organization_id and s.agent_id = g.id and s.series = g.session_series
             where s.expires_at > ${now} and not exists (select from ended_agent_sessions e
               where e.organization_id = s.organization_id and e.session_id = s.id) limit ${countedMax + 1}) n) as sessions,
           (select count(*)::int from (select 1 from stopped a join approvals p on p.organization_id = ${organizationId} and p.agent_id = a.id
             where p.status in ('PENDING', 'APPROVED') and p.expires_at > ${now} limit ${countedMax + 1}) n) as approvals,
           (select count(*)::int from (select 1 from actions x where x.organization_id = ${organizationId} and x.status = 'EXECUTING'
               and x.agent_id in (select id from stopped) limit ${countedMax + 1}) n) as executing`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('a count without a source has one row');
  return row;
};

/** The agent itself, and agents all of whose active delegations hang on it. */
export const countWithAgent = (tx: TenantTransaction, organizationId: string, agentId: string, now: Date): Promise<CountedAgents> =>
  countAgents(
    tx,
    organizationId,
    sql`select ${agentId}::text as id union
        (with under as materialized (
           select distinct d.id, d.delegate_agent_id from delegations r
             join delegations d on d.organization_id = r.organization_id and d.path >= r.path and d.path < r.path || '0' and d.status = 'ACTIVE'
            where r.organization_id = ${organizationId} and r.status = 'ACTIVE'
              and (r.delegate_agent_id = ${agentId} or r.delegator_agent_id = ${agentId}) limit ${countedMax})
         select u.delegate_agent_id from under u
           join agents a on a.organization_id = ${organizationId} and a.id = u.delegate_agent_id and ${getStandingStatus('a')} = 'ACTIVE'
          where not exists (select from delegations o where o.organization_id = ${organizationId} and o.delegate_agent_id = u.delegate_agent_id
                              and o.status = 'ACTIVE' and not exists (select from under v where v.id = o.id)))`,
    now,
  );

export type AgentScope = 'environment' | 'workspace' | 'organization';

const within = (scope: AgentScope, id: string): RawBuilder<boolean> => {
  if (scope === 'organization') return sql<boolean>`true`;
  return scope === 'environment' ? sql<boolean>`a.environment_id = ${id}` : sql<boolean>`a.workspace_id = ${id}`;
};

/** Active agents in a part of the organization. */
export const countAgentsWithin = (
  tx: TenantTransaction,
  organizationId: string,
  scope: AgentScope,
  id: string,
  now: Date,
): Promise<CountedAgents> =>
  countAgents(
    tx,
    organizationId,
    sql`select a.id from agents a where a.organization_id = ${organizationId} and ${within(scope, id)} and ${getStandingStatus('a')} = 'ACTIVE'`,
    now,
  );

/** Active agents that are authorized for a tool. */
export const countAgentsWithTool = (tx: TenantTransaction, organizationId: string, toolId: string, now: Date): Promise<CountedAgents> =>
  countAgents(
    tx,
    organizationId,
    sql`select a.id from tool_agents t join agents a on a.organization_id = t.organization_id and a.id = t.agent_id
         where t.organization_id = ${organizationId} and t.tool_id = ${toolId} and ${getStandingStatus('a')} = 'ACTIVE'`,
    now,
  );

/** Ids of agents that can have sessions, in a part of the organization. */
export const findAgentsWithin = async (tx: TenantTransaction, organizationId: string, scope: AgentScope, id: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select a.id from agents a where a.organization_id = ${organizationId} and ${within(scope, id)}
       and a.status not in ('REVOKED', 'DECOMMISSIONED') order by a.id limit ${countedMax + 1}`.execute(tx);
  return rows.map((row) => row.id);
};
