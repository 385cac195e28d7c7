import type { Delegation } from '@svc/contract/agents/delegations/shapes.ts';
import type { DelegationStatus } from '@svc/contract/tables/vocabulary.ts';
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';
import { countUpTo, type Listed, type ListedPart, listed } from '../../lists/listed.ts';
import { statusAt, toWire } from './delegation-row.ts';

export type DelegationFilter = {
  readonly status?: DelegationStatus;
  readonly delegate_agent_id?: string;
  readonly delegator_id?: string;
  readonly parent_id?: string;
  /** An agent with a part in the chain. */
  readonly agent_id?: string;
};

type Builder = ExpressionBuilder<Tables, 'delegations'>;

const inChain = (organizationId: string, agentId: string): Expression<SqlBool> => sql<boolean>`exists (
  select from delegations l where l.organization_id = ${organizationId} and (l.delegate_agent_id = ${agentId} or l.delegator_agent_id = ${agentId})
     and ((delegations.path >= l.path and delegations.path < l.path || '0')
          or l.id = any (string_to_array(delegations.path, '/')) or delegations.id = any (string_to_array(l.path, '/'))))`;

const matching = (organizationId: string, filter: DelegationFilter, now: Date) => (eb: Builder) => {
  const { status, delegate_agent_id, delegator_id, parent_id, agent_id } = filter;
  const conditions: Expression<SqlBool>[] = [eb('organization_id', '=', organizationId)];
  if (status !== undefined) conditions.push(eb(statusAt(now), '=', status));
  if (delegate_agent_id !== undefined) conditions.push(eb('delegate_agent_id', '=', delegate_agent_id));
  if (delegator_id !== undefined)
    conditions.push(eb.or([eb('delegator_user_id', '=', delegator_id), eb('delegator_agent_id', '=', delegator_id)]));
  if (parent_id !== undefined) conditions.push(eb('parent_id', '=', parent_id));
  if (agent_id !== undefined) conditions.push(inChain(organizationId, agent_id));
  return eb.and(conditions);
};

/** Newest first. */
export const listDelegations = (
  tx: TenantTransaction,
  organizationId: string,
  filter: DelegationFilter,
  part: ListedPart,
  now: Date,
): Promise<Listed<Delegation>> => {
  const which = matching(organizationId, filter, now);
  const read = async ({ limit, offset }: ListedPart) => {
    const selected = tx.selectFrom('delegations').selectAll().select(statusAt(now).as('status'));
    return (await selected.where(which).orderBy('id', 'desc').limit(limit).offset(offset).execute()).map(toWire);
  };
  return listed(part, read, (max) => countUpTo(tx, tx.selectFrom('delegations').select('id').where(which), max));
};

/** Newest first, one more than the page holds. */
export const pageOfDelegations = async (
  tx: TenantTransaction,
  organizationId: string,
  filter: DelegationFilter,
  page: { readonly after: string | undefined; readonly limit: number },
  now: Date,
): Promise<Delegation[]> => {
  const rows = await tx
    .selectFrom('delegations')
    .selectAll()
    .select(statusAt(now).as('status'))
    .where(matching(organizationId, filter, now))
    .$if(page.after !== undefined, (query) => query.where('id', '<', page.after ?? ''))
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute();
  return rows.map(toWire);
};

/**
 * Counts the delegations of an agent to another, and of all to that other, that are in force. For a person's delegation, those of other
 * agents
 * do not count: they must never prevent a person from restricting an agent.
 */
export const countStanding = async (
  tx: TenantTransaction,
  organizationId: string,
  delegatorAgentId: string | null,
  delegateAgentId: string,
  now: Date,
): Promise<{ readonly pair: number; readonly delegate: number }> => {
  const { rows } = await sql<{ pair: number; delegate: number }>`
    select count(*) filter (where delegator_agent_id = ${delegatorAgentId})::int as pair,
           count(*) filter (where ${delegatorAgentId}::text is not null or delegator_user_id is not null)::int as delegate
      from delegations
     where organization_id = ${organizationId} and delegate_agent_id = ${delegateAgentId} and status = 'ACTIVE'
       and (expires_at is null or expires_at > ${now})`.execute(tx);
  return rows[0] ?? { pair: 0, delegate: 0 };
};

export type DelegationGraphNode = { readonly id: string; readonly type: 'USER' | 'AGENT'; readonly name: string };

/** Returns people and agents by name. An agent outside the caller's scope has no name. */
export const findChainNodes = async (
  tx: TenantTransaction,
  organizationId: string,
  delegations: readonly Delegation[],
): Promise<DelegationGraphNode[]> => {
  const users = [...new Set(delegations.flatMap(({ delegator }) => (delegator.type === 'USER' ? [delegator.id] : [])))];
  const parties = delegations.flatMap(({ delegator, delegate_agent_id: to }) => (delegator.type === 'AGENT' ? [delegator.id, to] : [to]));
  const agents = [...new Set(parties)];
  const { rows } = await sql<DelegationGraphNode>`
    select n.id, 'USER' as type, coalesce(u.name, '') as name from unnest(${users}::text[]) as n (id) left join users u on u.id = n.id
     union all
    select n.id, 'AGENT', coalesce(a.name, '') from unnest(${agents}::text[]) as n (id)
      left join agents a on a.organization_id = ${organizationId} and a.id = n.id`.execute(tx);
  return rows;
};
