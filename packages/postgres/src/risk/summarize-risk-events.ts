import type { RiskSummary } from '@svc/contract/risk/risk-events.ts';
import { RISK_LIMITS } from '@svc/contract/tables/limits/risk-limits.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';

type AgentRow = Omit<RiskSummary['agents'][number], 'risk'> & { readonly state: Uint8Array | null };

const { openEventsPerAgentMax, summarizedAgentsMax } = RISK_LIMITS;

/** Open risk events by agent with the stored history of each, and events by signal with their verdicts. */
export const summarizeRiskEvents = async (
  tx: TenantTransaction,
  organizationId: string,
  environmentId: string | undefined,
): Promise<{ readonly agents: readonly AgentRow[]; readonly signals: RiskSummary['signals'] }> => {
  const where = sql`r.organization_id = ${organizationId} ${environmentId === undefined ? sql`` : sql`and r.environment_id = ${environmentId}`}`;
  const agents = await sql<AgentRow>`
    with open as (
      select r.agent_id, max(r.score)::int as score, least(count(*), ${openEventsPerAgentMax + 1})::int as open_events, max(r.last_at) as last_at
        from risk_events r where ${where} and r.status = 'OPEN' group by r.agent_id
       order by score desc, last_at desc, agent_id limit ${summarizedAgentsMax})
    select o.agent_id, a.name, a.environment_id, o.score, o.open_events, o.last_at, c.state
      from open o join agents a on a.organization_id = ${organizationId} and a.id = o.agent_id
      left join agent_conduct c on c.organization_id = ${organizationId} and c.agent_id = o.agent_id
     order by o.score desc, o.last_at desc, o.agent_id`.execute(tx);
  const signals = await sql<RiskSummary['signals'][number]>`
    select r.signal, count(*) filter (where r.status = 'OPEN')::int as open_events,
           count(distinct r.agent_id) filter (where r.status = 'OPEN')::int as agents,
           coalesce(sum(r.count) filter (where r.status = 'OPEN'), 0)::int as requests,
           json_build_object('EXPECTED', count(*) filter (where r.verdict = 'EXPECTED'),
             'FALSE_ALARM', count(*) filter (where r.verdict = 'FALSE_ALARM'),
             'CONFIRMED', count(*) filter (where r.verdict = 'CONFIRMED')) as verdicts
      from risk_events r where ${where} and r.status <> 'STALE'
     group by r.signal order by open_events desc, r.signal limit 50`.execute(tx);
  return { agents: agents.rows, signals: signals.rows };
};
