import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

export type EndedDelegation = {
  readonly id: string;
  readonly parent_id: string | null;
  readonly delegate_agent_id: string;
  readonly status: 'REVOKED' | 'EXPIRED';
  readonly expires_at: string | null;
  /** The delegation above with which it ended; null when it ended by itself. */
  readonly because: string | null;
  /** The reason given by the person who revoked the delegation above. */
  readonly reason?: string;
  readonly workspace_id: string;
  readonly environment_id: string;
};

export type End = { readonly status: 'REVOKED' | 'EXPIRED'; readonly reason: string; readonly now: Date };

type Locked = { readonly id: string; readonly is_meant: boolean; readonly of_agent?: string | null };
/** Held by this transaction. */
export type TakenDelegations = readonly Locked[];

/** Selects delegations by these agents; null matches all others. */
const ofAgents = (ids: readonly string[]) =>
  sql`case when delegate_agent_id = any (${[...ids]}::text[]) then delegate_agent_id
           when delegator_agent_id = any (${[...ids]}::text[]) then delegator_agent_id end`;

const lockOnce = async (
  tx: TenantTransaction,
  organizationId: string,
  meant: RawBuilder<unknown>,
  limit: number,
  agentIds: readonly string[],
): Promise<Locked[]> => {
  const { rows } = await sql<Locked>`
    with meant as materialized (select id, path, ${ofAgents(agentIds)} as of_agent
                                  from delegations where organization_id = ${organizationId} and ${meant})
    select d.id, d.id = m.id as is_meant, m.of_agent
      from meant m join delegations d on d.organization_id = ${organizationId} and d.path >= m.path and d.path < m.path || '0'
     where d.status = 'ACTIVE' order by d.depth, d.id limit ${limit} for update of d`.execute(tx);
  return rows;
};

/**
 * Locks the selected delegations and everything below, always in the same order and before anything is written: writers hold epochs too,
 * and
 * no holder of those may wait for a row. Queried twice, since something may have been added below while the first query waited.
 */
const lockTree = async (
  tx: TenantTransaction,
  organizationId: string,
  meant: RawBuilder<unknown>,
  limit: number,
  agentIds: readonly string[] = [],
): Promise<Locked[]> => {
  await lockOnce(tx, organizationId, meant, limit, agentIds);
  return await lockOnce(tx, organizationId, meant, limit, agentIds);
};

/** Ends the delegations that this transaction has locked. Nothing can be added below from then on. */
export const endTaken = async (
  tx: TenantTransaction,
  organizationId: string,
  taken: TakenDelegations,
  { status, reason, now }: End,
): Promise<EndedDelegation[]> => {
  if (taken.length === 0) return [];
  const ids = [...new Set(taken.map(({ id }) => id))];
  const meant = new Set(taken.flatMap(({ id, is_meant }) => (is_meant ? [id] : [])));
  const { rows } = await sql<EndedDelegation & { path: string }>`
    with chosen as materialized (select unnest(${ids}::text[]) as id), ended as (
      update delegations d set status = ${status}, ended_at = ${now}, ended_reason = ${reason}, updated_at = ${now}, version = d.version + 1,
             ends_below = exists (select from delegations b where b.organization_id = d.organization_id and b.status = 'ACTIVE'
                                     and b.path > d.path and b.path < d.path || '0' and not exists (select from chosen c where c.id = b.id))
       where d.organization_id = ${organizationId} and d.id = any (${ids}::text[]) and d.status = 'ACTIVE'
      returning d.id, d.parent_id, d.delegate_agent_id, d.status, d.expires_at, d.path
    )
    select e.*, a.workspace_id, a.environment_id
      from ended e join agents a on a.organization_id = ${organizationId} and a.id = e.delegate_agent_id order by e.path`.execute(tx);
  return rows.map(({ path, ...row }) => ({
    ...row,
    because: meant.has(row.id) ? null : (path.split('/').findLast((above) => meant.has(above)) ?? null),
  }));
};

/** Ends one delegation and what hangs below it, at most `limit` together; what is left follows with `endBelow`. Empty when it has ended already. */
export const endDelegation = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  limit: number,
  end: End,
): Promise<EndedDelegation[]> =>
  endTaken(tx, organizationId, await lockTree(tx, organizationId, sql`id = ${id} and status = 'ACTIVE'`, limit), end);

/** Locks the delegations to and by agents, with everything below, for `endTaken`; call it before anything is written. */
export const lockAgentDelegations = (
  tx: TenantTransaction,
  organizationId: string,
  agentIds: readonly string[],
  limit: number,
): Promise<TakenDelegations> => {
  const ids = sql`any (${[...agentIds]}::text[])`;
  return lockTree(
    tx,
    organizationId,
    sql`(delegate_agent_id = ${ids} or delegator_agent_id = ${ids}) and status = 'ACTIVE'`,
    limit,
    agentIds,
  );
};

/** With which agent each of them ends that does so by itself. */
export const listDelegationAgents = (taken: TakenDelegations): ReadonlyMap<string, string> =>
  new Map(taken.flatMap(({ id, is_meant, of_agent }) => (is_meant && of_agent ? [[id, of_agent] as const] : [])));

/** Ends expired delegations, at most `limit` at once. Delegations that are being changed are checked the next time. */
export const endOverdueDelegations = async (
  tx: TenantTransaction,
  organizationId: string,
  limit: number,
  end: End,
): Promise<EndedDelegation[]> => {
  const { rows } = await sql<{ id: string }>`
    select id from delegations where organization_id = ${organizationId} and status = 'ACTIVE' and expires_at <= ${end.now}
     order by depth, id limit ${limit} for update skip locked`.execute(tx);
  return await endTaken(
    tx,
    organizationId,
    rows.map(({ id }) => ({ id, is_meant: true })),
    end,
  );
};

type Ending = { readonly id: string; readonly path: string; readonly status: End['status']; readonly ended_reason: string };

/** Records the end of at most `limit` delegations below one that ended, in this way if one is named; undefined if there is none. */
export const endBelow = async (
  tx: TenantTransaction,
  organizationId: string,
  now: Date,
  limit: number,
  way: End['status'] | null = null,
): Promise<EndedDelegation[] | undefined> => {
  const found = await sql<Ending>`
    select id, path, status, ended_reason from delegations where organization_id = ${organizationId} and ends_below
       and (${way}::text is null or status = ${way}) order by path limit 1 for update skip locked`.execute(tx);
  const [ending] = found.rows;
  if (ending === undefined) return undefined;
  const { id, status, ended_reason: reason } = ending;
  const below = (await lockTree(tx, organizationId, sql`id = ${id}`, limit)).map((one) => ({ ...one, is_meant: false }));
  const ended = await endTaken(tx, organizationId, below, { status, reason, now });
  if (below.length < limit)
    await sql`update delegations set ends_below = false where organization_id = ${organizationId} and id = ${id}`.execute(tx);
  return ended.map((one) => ({ ...one, because: id, ...(status === 'REVOKED' ? { reason } : {}) }));
};
