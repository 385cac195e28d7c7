import { type AgentWithOperations, DECISIONS_COUNTED_MAX } from '@svc/contract/agents/agents/agents.ts';
import type { AgentStatus } from '@svc/contract/tables/vocabulary.ts';
import type { LabelFilter } from '@svc/domain/agents/fleet/label-filter.ts';
import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { selectAgents } from './agents.ts';
import { getStandingStatus } from './standing-status.ts';

export type Activity = {
  readonly sessions: number;
  readonly decisions_24h: number;
  readonly blocked_24h: number;
  readonly failed_24h: number;
  readonly pending_approvals: number;
  readonly sdk: { readonly name: string; readonly version: string; readonly runtime: string } | null;
};

/** A moment, and the smallest identifier of an action that could have been created a day before it. */
export type ActivityWindow = { readonly now: Date; readonly firstActionId: string };

/** Returns the recent activity of the agents of a page, in one statement for all of them. */
export const readActivity = async (
  tx: TenantTransaction,
  organizationId: string,
  agentIds: readonly string[],
  { now, firstActionId }: ActivityWindow,
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
  readonly labels?: LabelFilter | undefined;
  readonly workspace_id?: string | undefined;
  readonly environment_id?: string | undefined;
  readonly expires_before?: string | undefined;
  readonly sdk_name?: string | undefined;
  readonly sdk_version?: string | undefined;
  readonly limit: number;
  readonly offset: number;
};

const pattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
const NONE = { sessions: 0, decisions_24h: 0, blocked_24h: 0, pending_approvals: 0, sdk: null };

/** The client library of an agent's last sign-in is filtered last, since it is looked up agent by agent. */
const matchesOf = (filter: AgentFilter): RawBuilder<boolean> => {
  const asked: RawBuilder<unknown>[] = [sql`true`];
  const { status, q, labels, workspace_id, environment_id, expires_before, sdk_name, sdk_version } = filter;
  if (workspace_id !== undefined) asked.push(sql`agents.workspace_id = ${workspace_id}`);
  if (environment_id !== undefined) asked.push(sql`agents.environment_id = ${environment_id}`);
  if (status !== undefined) asked.push(sql`${getStandingStatus('agents')} = ${status}`);
  if (q !== undefined) asked.push(sql`agents.name ilike ${pattern(q)}`);
  if (labels) asked.push(sql`agents.labels @> ${JSON.stringify(labels.values)}::jsonb and agents.labels ?& ${[...labels.names]}::text[]`);
  if (expires_before !== undefined) asked.push(sql`agents.expires_at <= ${expires_before}::timestamptz`);
  if (sdk_name !== undefined || sdk_version !== undefined)
    asked.push(sql`exists (select from (
      select s.sdk from agent_sessions s where s.organization_id = agents.organization_id and s.agent_id = agents.id
       order by s.created_at desc limit 1) l
     where coalesce(l.sdk ->> 'name' = ${sdk_name ?? null}, ${sdk_name === undefined})
       and coalesce(l.sdk ->> 'version' = ${sdk_version ?? null}, ${sdk_version === undefined}))`);
  return sql<boolean>`(${sql.join(asked, sql` and `)})`;
};

/** Newest first, with the number of all that match and what each has been doing. */
export const listAgents = async (
  tx: TenantTransaction,
  organizationId: string,
  filter: AgentFilter,
  lately: ActivityWindow,
): Promise<{ items: AgentWithOperations[]; total: number }> => {
  const matches = matchesOf(filter);
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
    const { sessions, decisions_24h, blocked_24h, pending_approvals, sdk } = activity.get(agent.id) ?? NONE;
    return { ...agent, sessions, decisions_24h, blocked_24h, pending_approvals, sdk };
  });
  return { items, total };
};
