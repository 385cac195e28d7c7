import type { ToolRoute } from '@svc/contract/tools/tool-routes.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';

const select = (tx: TenantTransaction, organizationId: string, toolId: string) =>
  tx
    .selectFrom('tools')
    .select(['id', 'name', 'kind', 'workspace_id', 'environment_id', 'routes'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', toolId);

export const findToolRoutes = (tx: TenantTransaction, organizationId: string, toolId: string) =>
  select(tx, organizationId, toolId).executeTakeFirst();

/** Reads the routes of a tool and keeps others from changing it until the transaction ends. */
export const lockToolRoutes = (tx: TenantTransaction, organizationId: string, toolId: string) =>
  select(tx, organizationId, toolId).forUpdate().executeTakeFirst();

/** Routes of the other tools of an environment. Changes of routes in it wait for each other until the transaction ends. */
export const lockOtherRoutes = async (tx: TenantTransaction, tool: { organization_id: string; environment_id: string; id: string }) => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`routes:${tool.organization_id}:${tool.environment_id}`}, 0))`.execute(tx);
  return tx
    .selectFrom('tools')
    .select(['name', 'routes'])
    .where('organization_id', '=', tool.organization_id)
    .where('environment_id', '=', tool.environment_id)
    .where('id', '!=', tool.id)
    .where(sql<boolean>`jsonb_array_length(routes) > 0`)
    .execute();
};

export const putToolRoutes = async (
  tx: TenantTransaction,
  organizationId: string,
  toolId: string,
  routes: readonly ToolRoute[],
  now: Date,
): Promise<void> => {
  await tx
    .updateTable('tools')
    .set({ routes: JSON.stringify(routes), updated_at: now })
    .where('organization_id', '=', organizationId)
    .where('id', '=', toolId)
    .execute();
};
