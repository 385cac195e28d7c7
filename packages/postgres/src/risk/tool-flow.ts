import type { ToolFlow } from '@svc/contract/risk/flow-words.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';

const select = (tx: TenantTransaction, organizationId: string, toolId: string) =>
  tx
    .selectFrom('tools')
    .select(['id', 'workspace_id', 'environment_id', 'flow'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', toolId);

export const findToolFlow = (tx: TenantTransaction, organizationId: string, toolId: string) =>
  select(tx, organizationId, toolId).executeTakeFirst();

/** Reads the declared flow of a tool and locks it until the transaction ends. */
export const lockToolFlow = (tx: TenantTransaction, organizationId: string, toolId: string) =>
  select(tx, organizationId, toolId).forUpdate().executeTakeFirst();

export const putToolFlow = async (tx: TenantTransaction, organizationId: string, toolId: string, flow: ToolFlow): Promise<void> => {
  await tx
    .updateTable('tools')
    .set({ flow: JSON.stringify(flow) })
    .where('organization_id', '=', organizationId)
    .where('id', '=', toolId)
    .execute();
};
