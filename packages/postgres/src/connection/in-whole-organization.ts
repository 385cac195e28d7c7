import { sql } from 'kysely';
import { type TenantScope, type TenantTransaction, workspacesSetting } from './in-tenant.ts';

/**
 * Widens the transaction to the whole organization temporarily: limits on a caller may depend on rows outside its scope. Only for
 * limiting the caller, never for a response.
 */
export const inWholeOrganization = async <Result>(
  tx: TenantTransaction,
  scope: TenantScope,
  work: () => Promise<Result>,
): Promise<Result> => {
  if (!scope.workspace_ids && !scope.environment_id) return await work();
  const narrowTo = (workspace: string, environment: string) =>
    sql`select set_config('svc.workspace_id', ${workspace}, true), set_config('svc.environment_id', ${environment}, true)`.execute(tx);
  await narrowTo('', '');
  const result = await work();
  await narrowTo(workspacesSetting(scope.workspace_ids), scope.environment_id ?? '');
  return result;
};
