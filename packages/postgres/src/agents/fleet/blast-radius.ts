import type { BlastRadius } from '@svc/contract/agents/fleet/bulk.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { AgentStatus } from '@svc/contract/tables/vocabulary.ts';
import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { getStandingStatus } from '../agents/standing-status.ts';

export type Blasted = BlastRadius & { readonly agent_id: string; readonly status: AgentStatus };

export type BlastRadii = {
  readonly agents: readonly Blasted[];
  /** The total over all, without duplicates. */
  readonly total: BlastRadius;
  readonly counted_all: boolean;
};

const KINDS = ['sessions', 'delegations', 'approvals', 'tools'] as const;
type Kind = (typeof KINDS)[number];

type Counted = { readonly agents: Readonly<Record<string, number>>; readonly total: number; readonly looked_at: number };

/** Pairs of an agent and something that hangs on it, counted for each agent and, every thing once, for all. */
const counted = (pairs: RawBuilder<unknown>): RawBuilder<Counted> => sql<Counted>`(
  with pairs as materialized (select p.agent_id, p.id from (${pairs}) p limit ${LIMITS.bulk.countedMax + 1})
  select json_build_object('total', (select count(distinct id) from pairs), 'looked_at', (select count(*) from pairs),
    'agents', (select coalesce(json_object_agg(agent_id, n), '{}') from (select agent_id, count(distinct id) as n from pairs group by agent_id) c)))`;

const getPairs = (organizationId: string, ids: RawBuilder<unknown>, now: Date): Readonly<Record<Kind, RawBuilder<unknown>>> => ({
  sessions: sql`
    select s.agent_id, s.id from agent_sessions s join agents a on a.organization_id = s.organization_id and a.id = s.agent_id
     where s.organization_id = ${organizationId} and s.agent_id = any (${ids}) and s.series = a.session_series and s.expires_at > ${now}
       and not exists (select from ended_agent_sessions e where e.organization_id = s.organization_id and e.session_id = s.id)`,
  delegations: sql`
    select m.agent_id, d.id from (
      select delegate_agent_id as agent_id, path from delegations
       where organization_id = ${organizationId} and status = 'ACTIVE' and delegate_agent_id = any (${ids})
       union all
      select delegator_agent_id, path from delegations
       where organization_id = ${organizationId} and status = 'ACTIVE' and delegator_agent_id = any (${ids})) m
      join delegations d on d.organization_id = ${organizationId} and d.path >= m.path and d.path < m.path || '0' and d.status = 'ACTIVE'`,
  approvals: sql`
    select p.agent_id, p.id from approvals p
     where p.organization_id = ${organizationId} and p.agent_id = any (${ids}) and p.status in ('PENDING', 'APPROVED') and p.expires_at > ${now}`,
  tools: sql`
    select t.agent_id, t.tool_id as id from tool_agents t join tools x on x.organization_id = t.organization_id and x.id = t.tool_id
     where t.organization_id = ${organizationId} and t.agent_id = any (${ids}) and x.status = 'ACTIVE'`,
});

/** Returns the blast radius of each of these agents, in one statement; missing ones are omitted. */
export const readBlastRadii = async (
  tx: TenantTransaction,
  organizationId: string,
  agentIds: readonly string[],
  now: Date,
): Promise<BlastRadii> => {
  const ids = sql`${[...agentIds]}::text[]`;
  const pairs = getPairs(organizationId, ids, now);
  const { rows } = await sql<{ agents: { id: string; status: AgentStatus }[] } & Record<Kind, Counted>>`
    select (select coalesce(json_agg(json_build_object('id', a.id, 'status', ${getStandingStatus('a')})), '[]') from agents a
             where a.organization_id = ${organizationId} and a.id = any (${ids})) as agents,
           ${sql.join(KINDS.map((kind) => sql`${counted(pairs[kind])} as ${sql.ref(kind)}`))}`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('a count without a source has one row');
  const each = (of: (counted: Counted) => number) => Object.fromEntries(KINDS.map((kind) => [kind, of(row[kind])])) as Record<Kind, number>;
  return {
    agents: row.agents.map(({ id, status }) => ({ agent_id: id, status, ...each(({ agents }) => agents[id] ?? 0) })),
    total: each(({ total }) => total),
    counted_all: KINDS.every((kind) => row[kind].looked_at <= LIMITS.bulk.countedMax),
  };
};
