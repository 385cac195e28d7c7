import type { FlowContext, FlowSource } from '@svc/domain/risk/contexts/flow-context.ts';
import { EMPTY_CONTEXT, type Grown, type Growth, grow } from '@svc/domain/risk/contexts/growth.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';

type ContextRow = {
  readonly id: string;
  readonly labels: readonly string[];
  readonly sources: unknown;
  readonly tools_used: readonly string[];
  readonly is_overflowing: boolean;
  readonly started_at: string;
  readonly last_used_at: string;
};

const asContext = ({ sources, ...row }: ContextRow): FlowContext => ({ ...row, sources: sources as readonly FlowSource[] });

const select = (tx: TenantTransaction, organizationId: string, agentId: string) =>
  tx
    .selectFrom('agent_contexts')
    .select(['id', 'labels', 'sources', 'tools_used', 'is_overflowing', 'started_at', 'last_used_at'])
    .where('organization_id', '=', organizationId)
    .where('agent_id', '=', agentId);

export const findContexts = async (tx: TenantTransaction, organizationId: string, agentId: string): Promise<FlowContext[]> =>
  (await select(tx, organizationId, agentId).execute()).map(asContext);

/** Reads a context and keeps others from changing it until the transaction ends. */
export const lockContext = async (
  tx: TenantTransaction,
  organizationId: string,
  agentId: string,
  contextId: string,
): Promise<FlowContext | undefined> => {
  const row = await select(tx, organizationId, agentId).where('id', '=', contextId).forUpdate().executeTakeFirst();
  return row && asContext(row);
};

export const putGrown = async (
  tx: TenantTransaction,
  organizationId: string,
  contextId: string,
  { labels, sources, tools_used, is_overflowing }: Grown,
): Promise<void> => {
  await tx
    .updateTable('agent_contexts')
    .set({ labels: [...labels], sources: JSON.stringify(sources), tools_used: [...tools_used], is_overflowing })
    .where('organization_id', '=', organizationId)
    .where('id', '=', contextId)
    .execute();
};

export type GrowingAgent = {
  readonly organization_id: string;
  readonly workspace_id: string;
  readonly environment_id: string;
  readonly agent_id: string;
  readonly created_at: string;
};

/**
 * Adds labels to the context of an agent, in the transaction that records the decision. A trigger then moves the epoch of the agent. `isOver` says that
 * the decision found the context ended: it begins again, unless another decision has used it meanwhile.
 */
export const growContext = async (
  tx: TenantTransaction,
  agent: GrowingAgent,
  growth: Growth,
  newContextId: string,
  isOver: boolean,
): Promise<void> => {
  const { organization_id, workspace_id, environment_id, agent_id, created_at } = agent;
  await sql`
    insert into agent_contexts (organization_id, agent_id, id, workspace_id, environment_id, started_at, last_used_at)
    values (${organization_id}, ${agent_id}, ${newContextId}, ${workspace_id}, ${environment_id}, ${created_at}, ${created_at})
    on conflict (organization_id, agent_id) do nothing`.execute(tx);
  const row = await select(tx, organization_id, agent_id).forUpdate().executeTakeFirstOrThrow();
  const before = isOver && Date.parse(row.last_used_at) < Date.parse(created_at) ? EMPTY_CONTEXT : asContext(row);
  const { labels, sources, tools_used, is_overflowing } = grow(before, growth);
  await tx
    .updateTable('agent_contexts')
    .set({
      labels: [...labels],
      sources: JSON.stringify(sources),
      tools_used: [...tools_used],
      is_overflowing,
      last_used_at: sql<string>`greatest(last_used_at, ${created_at}::timestamptz)`,
      ...(before === EMPTY_CONTEXT ? { started_at: created_at } : {}),
    })
    .where('organization_id', '=', organization_id)
    .where('agent_id', '=', agent_id)
    .execute();
};
