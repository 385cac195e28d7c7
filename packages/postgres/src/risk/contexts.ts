import type { FlowContext, FlowSource } from '@svc/domain/risk/contexts/flow-context.ts';
import type { GrownContext } from '@svc/domain/risk/contexts/growth.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';

export type ContextRow = {
  readonly id: string;
  readonly name: string;
  readonly labels: readonly string[];
  readonly sources: unknown;
  readonly tools_used: readonly string[];
  readonly is_overflowing: boolean;
  readonly started_at: string;
  readonly last_used_at: string;
};

export const asContext = ({ sources, ...row }: ContextRow): FlowContext => ({ ...row, sources: sources as readonly FlowSource[] });

export const selectContexts = (tx: TenantTransaction, organizationId: string, agentId: string) =>
  tx
    .selectFrom('agent_contexts')
    .select(['id', 'name', 'labels', 'sources', 'tools_used', 'is_overflowing', 'started_at', 'last_used_at'])
    .where('organization_id', '=', organizationId)
    .where('agent_id', '=', agentId);

export const findContexts = async (tx: TenantTransaction, organizationId: string, agentId: string): Promise<FlowContext[]> =>
  (await selectContexts(tx, organizationId, agentId).orderBy('last_used_at', 'desc').orderBy('id').execute()).map(asContext);

/** Reads a context and locks it until the transaction ends. */
export const lockContext = async (
  tx: TenantTransaction,
  organizationId: string,
  agentId: string,
  contextId: string,
): Promise<FlowContext | undefined> => {
  const row = await selectContexts(tx, organizationId, agentId).where('id', '=', contextId).forUpdate().executeTakeFirst();
  return row && asContext(row);
};

export const putGrown = async (
  tx: TenantTransaction,
  organizationId: string,
  contextId: string,
  { labels, sources, tools_used, is_overflowing }: GrownContext,
): Promise<void> => {
  await tx
    .updateTable('agent_contexts')
    .set({ labels: [...labels], sources: JSON.stringify(sources), tools_used: [...tools_used], is_overflowing })
    .where('organization_id', '=', organizationId)
    .where('id', '=', contextId)
    .execute();
};
