import { type AgentWithOperations, DECISIONS_COUNTED_MAX } from '@svc/contract/agents/agents/agents.ts';
import type { AgentStatus } from '@svc/contract/tables/vocabulary.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { selectAgents } from './agents.ts';

export type Activity = {
  readonly sessions: number;
  readonly decisions_24h: number;
  readonly blocked_24h: number;
  readonly failed_24h: number;
  readonly pending_approvals: number;
  readonly sdk: { readonly name: string; readonly version: string; readonly runtime: string } | null;
};

/** A moment, and the smallest identifier of an action that could have been made a day before it. */
export type Lately = { readonly now: Date; readonly firstActionId: string };

/** What the agents of a page have been doing lately, in one statement for all of them. */
export const readActivity = async (
  tx: TenantTransaction,
  organizationId: string,
  agentIds: readonly string[],
  { now, firstActionId }: Lately,
): Promise<ReadonlyMap<string, Activity>> => {
  const { rows } = await sql<Activity & { id: string }>`
    select a.id,
      (select count(*)::int from agent_sessions s where s.organization_id = a.organization_id and s.agent_id = a.id
         and s.series = a.session_series and s.expires_at > ${now}
         and not exists (select from ended_agent_sessions e where e.organization_id = s.organization_id and e.session_id = s.id)) as sessions,
      d.decisions_24h, d.blocked_24h, d.failed_24h,
      (select count(*)::int from approvals p where p.organization_id = a.organization_id and p.agent_id = a.id
         and p.status = 'PENDING' and p.expires_at > ${now}) as pending_approvals,
      (select s.sdk from agent_sessions s where s.organization_id = a.organization_id and s.agent_id = a.id
         order by s.created_at desc limit 1) as sdk
    from agents a
    cross join lateral (
      select count(*)::int as decisions_24h, count(*) filter (where n.status = 'BLOCKED')::int as blocked_24h,
             count(*) filter (where n.status in ('FAILED', 'UNKNOWN'))::int as failed_24h
        from (select x.status from actions x where x.organization_id = a.organization_id and x.agent_id = a.id and x.id >= ${firstActionId}
                 and x.created_at > ${now}::timestamptz - interval '24 hours'
               order by x.id desc limit ${DECISIONS_COUNTED_MAX}) n) d
    where a.organization_id = ${organizationId} and a.id = any(${[...agentIds]})`.execute(tx);
  return new Map(rows.map(({ id, ...activity }) => [id, activity]));
};

export type AgentFilter = {
  readonly status?: AgentStatus | undefined;
  readonly q?: string | undefined;
  readonly limit: number;
  readonly offset: number;
};

const pattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
const NONE = { sessions: 0, decisions_24h: 0, blocked_24h: 0, pending_approvals: 0 };

/** Newest first, with the number of all that match and what each has been doing. */
export const listAgents = async (
  tx: TenantTransaction,
  organizationId: string,
  filter: AgentFilter,
  lately: Lately,
): Promise<{ items: AgentWithOperations[]; total: number }> => {
  const like = filter.q === undefined ? null : pattern(filter.q);
  const matches = sql<boolean>`(${filter.status ?? null}::text is null or agents.status = ${filter.status ?? null})
    and (${like}::text is null or agents.name ilike ${like})`;
  const agents = await selectAgents(tx, organizationId)
    .where(matches)
    .orderBy('agents.id', 'desc')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute();
  const { total } = await tx
    .selectFrom('agents')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('organization_id', '=', organizationId)
    .where(matches)
    .executeTakeFirstOrThrow();
  const activity = await readActivity(
    tx,
    organizationId,
    agents.map((agent) => agent.id),
    lately,
  );
  const items = agents.map((agent) => {
    const { sessions, decisions_24h, blocked_24h, pending_approvals } = activity.get(agent.id) ?? NONE;
    return { ...agent, sessions, decisions_24h, blocked_24h, pending_approvals };
  });
  return { items, total };
};
