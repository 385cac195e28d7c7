import { RISK_LIMITS } from '@svc/contract/tables/limits/risk-limits.ts';
import { ALL_CONTEXTS } from '@svc/domain/risk/contexts/context-name.ts';
import { EMPTY_CONTEXT, grow } from '@svc/domain/risk/contexts/growth.ts';
import type { ActionRecord, ContextGrowth } from '@svc/enforcement/ports/ports.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import { asContext, type ContextRow, selectContexts } from './contexts.ts';
import { findKept, keepLabels } from './kept-labels.ts';

type GrowingAgent = Pick<ActionRecord, 'organization_id' | 'workspace_id' | 'environment_id' | 'agent_id' | 'created_at'>;

const lockByName = (tx: TenantTransaction, { organization_id, agent_id }: GrowingAgent, key: string): Promise<ContextRow | undefined> =>
  selectContexts(tx, organization_id, agent_id).where('name', '=', key).forUpdate().executeTakeFirst();

const mayInsert = async (tx: TenantTransaction, { organization_id, agent_id }: GrowingAgent, key: string): Promise<boolean> => {
  // All that an agent reads may have to go into the context of all contexts, so it is not counted.
  if (key === ALL_CONTEXTS) return true;
  const { rows } = await sql<{ there: number }>`
    select count(*)::int as there from agent_contexts
     where organization_id = ${organization_id} and agent_id = ${agent_id} and name <> ${ALL_CONTEXTS}`.execute(tx);
  return (rows[0]?.there ?? 0) < RISK_LIMITS.contextsPerAgentMax;
};

/** Makes the oldest context that has ended or has no labels the new one, if there is one. */
const reuseContext = async (tx: TenantTransaction, agent: GrowingAgent, { key, contextId, endedBefore }: ContextGrowth): Promise<void> => {
  const { organization_id, agent_id, created_at } = agent;
  await sql`
    update agent_contexts set id = ${contextId}, name = ${key}, labels = '{}', sources = '[]', tools_used = '{}', is_overflowing = false,
           started_at = ${created_at}, last_used_at = ${created_at}
     where organization_id = ${organization_id} and id = (
       select id from agent_contexts where organization_id = ${organization_id} and agent_id = ${agent_id} and name <> ${ALL_CONTEXTS}
          and (labels = '{}' or last_used_at < ${endedBefore}::timestamptz) order by last_used_at, id limit 1 for update skip locked)`.execute(
    tx,
  );
};

/** Opens a context, serialized per agent, so that the bound holds for concurrent requests. Undefined if there is no capacity. */
const openContext = async (tx: TenantTransaction, agent: GrowingAgent, growth: ContextGrowth): Promise<ContextRow | undefined> => {
  const { organization_id, workspace_id, environment_id, agent_id, created_at } = agent;
  const { key, contextId } = growth;
  const lock = JSON.stringify(['svc contexts', organization_id, agent_id]);
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx);
  const opened = await lockByName(tx, agent, key);
  if (opened !== undefined) return opened;
  if (await mayInsert(tx, agent, key))
    await sql`
      insert into agent_contexts (organization_id, agent_id, id, name, workspace_id, environment_id, started_at, last_used_at)
      values (${organization_id}, ${agent_id}, ${contextId}, ${key}, ${workspace_id}, ${environment_id}, ${created_at}, ${created_at})`.execute(
      tx,
    );
  else await reuseContext(tx, agent, growth);
  return lockByName(tx, agent, key);
};

type Grown = ContextGrowth & { readonly isMore: boolean };

/** Adds the labels that are kept with the key that a request reads, and keeps all of them with the key under which it stores data. */
const addKept = async (tx: TenantTransaction, agent: GrowingAgent, growth: ContextGrowth): Promise<Grown> => {
  const { loads, stores } = growth;
  const kept = loads === null ? EMPTY_CONTEXT : await findKept(tx, agent, loads.mark);
  const added = {
    labels: [...new Set([...growth.labels, ...kept.labels])],
    sources: [...growth.sources, ...kept.sources],
    is_overflowing: kept.is_overflowing,
  };
  if (stores !== null && stores.labels.length + added.labels.length > 0) await keepLabels(tx, agent, stores.mark, [stores, added]);
  return { ...growth, labels: added.labels, sources: added.sources, isMore: kept.is_overflowing };
};

/**
 * Adds labels to a context of an agent, in the transaction that records the decision, and keeps its labels with the key of a store. A trigger
 * then moves the epoch of the agent. A context that has ended begins again. Returns false if the agent has as many contexts with labels as
 * may be.
 */
export const growContext = async (tx: TenantTransaction, agent: GrowingAgent, asked: ContextGrowth): Promise<boolean> => {
  const { organization_id, created_at } = agent;
  const growth = await addKept(tx, agent, asked);
  const { key, endedBefore, isMore } = growth;
  if (growth.labels.length === 0 && growth.sources.length === 0 && growth.tool === null && !isMore) return true;
  const row = (await lockByName(tx, agent, key)) ?? (await openContext(tx, agent, growth));
  if (row === undefined) return false;
  const isOver = endedBefore !== null && Date.parse(row.last_used_at) < Date.parse(endedBefore);
  const { labels, sources, tools_used, is_overflowing } = grow(isOver ? EMPTY_CONTEXT : asContext(row), growth);
  await tx
    .updateTable('agent_contexts')
    .set({
      labels: [...labels],
      sources: JSON.stringify(sources),
      tools_used: [...tools_used],
      is_overflowing: is_overflowing || isMore,
      last_used_at: sql<string>`greatest(last_used_at, ${created_at}::timestamptz)`,
      ...(isOver ? { started_at: created_at } : {}),
    })
    .where('organization_id', '=', organization_id)
    .where('id', '=', row.id)
    .execute();
  return true;
};
