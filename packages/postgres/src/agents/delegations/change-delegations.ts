import type { Delegation } from '@svc/contract/agents/delegations/shapes.ts';
import type { Chain, DelegationBounds } from '@svc/domain/agents/delegations/delegation.ts';
import { isOwnGrants } from '@svc/domain/agents/delegations/own-grants.ts';
import { sql } from 'kysely';
import type { EventActor } from '../../change/change.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { asMember } from '../../people/members/as-member.ts';
import { readBounds, statusAt, toBoundsColumns, toWire } from './delegation-row.ts';

export type InsertedDelegation = {
  readonly organization_id: string;
  readonly id: string;
  readonly delegator: Delegation['delegator'];
  readonly delegate_agent_id: string;
  /** Null for a root created by a person. */
  readonly chain: Chain | null;
  readonly bounds: DelegationBounds;
  /** Flow context of the session in which an agent delegates, empty if it named none; null if it is unknown. */
  readonly contextName: string | null;
  readonly actor: EventActor;
  readonly now: Date;
};

/** The delegation a new one hangs below; null when that is a person, or what an agent was granted. */
export const findParentId = (chain: Chain | null): string | null => {
  const last = chain?.[chain.length - 1];
  return last === undefined || isOwnGrants(last) ? null : last.id;
};

export const insertDelegation = async (tx: TenantTransaction, made: InsertedDelegation): Promise<Delegation> => {
  const { delegator, actor, now } = made;
  const row = await tx
    .insertInto('delegations')
    .values({
      organization_id: made.organization_id,
      id: made.id,
      parent_id: findParentId(made.chain),
      delegator_user_id: delegator.type === 'USER' ? delegator.id : null,
      delegator_agent_id: delegator.type === 'AGENT' ? delegator.id : null,
      delegate_agent_id: made.delegate_agent_id,
      ...toBoundsColumns(made.bounds),
      context_name: made.contextName,
      created_by_type: actor.type,
      created_by_id: actor.id,
      created_at: delegator.type === 'USER' ? asMember({ organization_id: made.organization_id, user_id: delegator.id }, now) : now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toWire(row);
};

/** Returns the delegate of a parent; undefined if the caller sees none of that id. */
export const findDelegate = async (tx: TenantTransaction, organizationId: string, id: string): Promise<string | undefined> => {
  const found = await tx
    .selectFrom('delegations')
    .select('delegate_agent_id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return found?.delegate_agent_id;
};

export type LockedDelegation = { readonly delegation: Delegation; readonly bounds: DelegationBounds };

/** Returns the current delegation; with `lock` no one else changes it, or adds below it, until the transaction ends. */
export const takeDelegation = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  now: Date,
  lock: boolean,
): Promise<LockedDelegation | undefined> => {
  const row = await tx
    .selectFrom('delegations')
    .selectAll()
    .select(statusAt(now).as('status'))
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
  return row && { delegation: toWire(row), bounds: readBounds(row) };
};

/** Uses the clock of the database: concurrent changes are ordered by their write time. */
export const reduceDelegationTo = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  bounds: DelegationBounds,
): Promise<Delegation> =>
  toWire(
    await tx
      .updateTable('delegations')
      .set((eb) => ({ ...toBoundsColumns(bounds), version: eb('version', '+', 1), updated_at: sql<string>`clock_timestamp()` }))
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
