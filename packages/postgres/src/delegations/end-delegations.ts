import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../in-tenant.ts';

export type EndedDelegation = {
  readonly id: string;
  readonly parent_id: string | null;
  readonly delegate_agent_id: string;
  readonly status: 'REVOKED' | 'EXPIRED';
  readonly expires_at: string | null;
  /** The delegation above with which it ended; null when it ended by itself. */
  readonly because: string | null;
  readonly workspace_id: string;
  readonly environment_id: string;
};

export type End = { readonly status: 'REVOKED' | 'EXPIRED'; readonly reason: string; readonly now: Date };

/** Ends rows that this transaction has locked. Nothing can come to hang below them from then on. */
const endLocked = async (
  tx: TenantTransaction,
  organizationId: string,
  ids: readonly string[],
  { status, reason, now }: End,
): Promise<EndedDelegation[]> => {
  const { rows } = await sql<EndedDelegation>`
    with ended as (
      update delegations d set status = ${status}, ended_at = ${now}, ended_reason = ${reason}, updated_at = ${now}, version = d.version + 1,
             ends_below = exists (select from delegations b where b.organization_id = d.organization_id and b.status = 'ACTIVE'
                                     and b.path > d.path || '/' and b.path < d.path || '0' and b.id <> all (${ids}::text[]))
       where d.organization_id = ${organizationId} and d.id = any (${ids}::text[]) and d.status = 'ACTIVE'
      returning d.id, d.parent_id, d.delegate_agent_id, d.status, d.expires_at, d.path
    )
    select e.id, e.parent_id, e.delegate_agent_id, e.status, e.expires_at, null as because, a.workspace_id, a.environment_id
      from ended e join agents a on a.organization_id = ${organizationId} and a.id = e.delegate_agent_id order by e.path`.execute(tx);
  return rows;
};

const lock = async (tx: TenantTransaction, which: RawBuilder<unknown>): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`select id from delegations where status = 'ACTIVE' and ${which}`.execute(tx);
  return rows.map(({ id }) => id);
};

const endThose = async (
  tx: TenantTransaction,
  organizationId: string,
  which: RawBuilder<unknown>,
  end: End,
): Promise<EndedDelegation[]> => {
  const ids = await lock(tx, which);
  return ids.length === 0 ? [] : await endLocked(tx, organizationId, ids, end);
};

/** Ends one delegation; those below it follow with `endBelow`. Empty when it has ended already. */
export const endDelegation = (tx: TenantTransaction, organizationId: string, id: string, end: End): Promise<EndedDelegation[]> =>
  endThose(tx, organizationId, sql`organization_id = ${organizationId} and id = ${id} for update`, end);

/** Ends what an agent was given and what it handed on, at most `limit` at once, from the roots down. */
export const endDelegationsOf = (
  tx: TenantTransaction,
  organizationId: string,
  agentId: string,
  limit: number,
  end: End,
): Promise<EndedDelegation[]> =>
  endThose(
    tx,
    organizationId,
    sql`organization_id = ${organizationId} and (delegate_agent_id = ${agentId} or delegator_agent_id = ${agentId})
        order by depth, id limit ${limit} for update`,
    end,
  );

/** Ends what has run out, at most `limit` at once. What is being changed at this moment is looked at the next time. */
export const endOverdueDelegations = (tx: TenantTransaction, organizationId: string, limit: number, end: End): Promise<EndedDelegation[]> =>
  endThose(
    tx,
    organizationId,
    sql`organization_id = ${organizationId} and expires_at <= ${end.now} order by depth, id limit ${limit} for update skip locked`,
    end,
  );

type Ending = { readonly id: string; readonly path: string; readonly status: End['status']; readonly ended_reason: string };

/** Writes down the end of at most `limit` delegations below one that ended, and answers them; undefined when there is no such one. */
export const endBelow = async (
  tx: TenantTransaction,
  organizationId: string,
  now: Date,
  limit: number,
): Promise<EndedDelegation[] | undefined> => {
  const found = await sql<Ending>`
    select id, path, status, ended_reason from delegations where organization_id = ${organizationId} and ends_below
     order by path limit 1 for update skip locked`.execute(tx);
  const [ending] = found.rows;
  if (ending === undefined) return undefined;
  const { id, path, status, ended_reason: reason } = ending;
  const below = sql`organization_id = ${organizationId} and path > ${`${path}/`} and path < ${`${path}0`} order by depth, id limit ${limit} for update`;
  const ended = await endThose(tx, organizationId, below, { status, reason, now });
  if (ended.length < limit)
    await sql`update delegations set ends_below = false where organization_id = ${organizationId} and id = ${id}`.execute(tx);
  return ended.map((one) => ({ ...one, because: id }));
};
