import { sql } from 'kysely';
import type { FeedTransaction } from '../audit/feed-positions.ts';
import type { Database } from '../connection/connect.ts';

export type AgentRowKey = { readonly organization_id: string; readonly agent_id: string };
export type StoredConduct = AgentRowKey & { readonly state: Uint8Array };

/** Returns histories of agents that have one. Only the feed consumer writes them, one process at a time. */
export const readConducts = async (tx: FeedTransaction, agents: readonly AgentRowKey[]): Promise<StoredConduct[]> => {
  const { rows } = await sql<StoredConduct>`
    select c.organization_id, c.agent_id, c.state
      from jsonb_to_recordset(${JSON.stringify(agents)}::jsonb) as a (organization_id text, agent_id text)
      join agent_conduct c on c.organization_id = a.organization_id and c.agent_id = a.agent_id
     order by c.organization_id, c.agent_id for update of c`.execute(tx);
  return rows;
};

export const writeConducts = async (tx: FeedTransaction, conducts: readonly StoredConduct[]): Promise<void> => {
  if (conducts.length === 0) return;
  const rows = conducts.map(({ state, ...agent }) => ({ ...agent, state: Buffer.from(state).toString('hex') }));
  await sql`
    insert into agent_conduct (organization_id, agent_id, version, state)
    select organization_id, agent_id, 1, decode(state, 'hex')
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as a (organization_id text, agent_id text, state text)
    on conflict (organization_id, agent_id) do update set version = agent_conduct.version + 1, state = excluded.state`.execute(tx);
};

/** Notes the time up to which decisions are folded: that of the first one that is not, or now. */
export const markFolded = async (reader: Database, consumer: string, types: readonly string[]): Promise<void> => {
  await sql`
    insert into conduct_progress (folded_through)
    select coalesce((select e.occurred_at from audit_events e
                      where e.transaction_id >= p.transaction_id and (e.transaction_id > p.transaction_id or e.id > p.id)
                        and e.type = any(${types}::text[])
                      order by e.transaction_id limit 1), clock_timestamp())
      from feed_positions p where p.consumer = ${consumer}
    on conflict (only_one) do update set folded_through = excluded.folded_through`.execute(reader);
};

/** Use of a context by its name, or of all contexts of the agent if that is null. */
export type ContextUse = AgentRowKey & { readonly name: string | null; readonly at: string };

/** Notes that agents used their contexts, and those whose labels they inherit by delegations, so that these do not end. */
export const touchContexts = async (tx: FeedTransaction, uses: readonly ContextUse[]): Promise<void> => {
  if (uses.length === 0) return;
  await sql`
    with recursive own as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(uses)}::jsonb) as u (organization_id text, agent_id text, name text, at timestamptz)),
    given as (
      select d.organization_id, d.delegator_agent_id as agent_id, o.at
        from (select organization_id, agent_id, max(at) as at from own group by organization_id, agent_id) o
        join delegations d on d.organization_id = o.organization_id and d.delegate_agent_id = o.agent_id and d.delegator_agent_id is not null
         and d.status = 'ACTIVE'
       union
      select d.organization_id, d.delegator_agent_id, g.at from given g
        join delegations d on d.organization_id = g.organization_id and d.delegate_agent_id = g.agent_id and d.delegator_agent_id is not null
         and d.status = 'ACTIVE')
    update agent_contexts c set last_used_at = used.at
      from (select x.organization_id, x.id, max(u.at) as at
              from (select organization_id, agent_id, name, at from own
                     union all
                    select organization_id, agent_id, null, at from given) as u
              join agent_contexts x on x.organization_id = u.organization_id and x.agent_id = u.agent_id and x.name = coalesce(u.name, x.name)
             group by x.organization_id, x.id) as used
     where c.organization_id = used.organization_id and c.id = used.id and c.last_used_at < used.at - interval '1 minute'`.execute(tx);
};
