import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { TenantScope, TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findEnvironment } from '@svc/postgres/tenancy/environments.ts';
import { workspaceExists } from '@svc/postgres/tenancy/workspaces.ts';

export type SubscribedPlace = { readonly workspace_id: string | null; readonly environment_id: string | null };

const TOO_WIDE =
  'This call is limited to a part of the organization: name a workspace_id of it, and the environment_id where it is limited to one, so that the subscription is too.';

const isTooWide = (scope: TenantScope, place: SubscribedPlace): boolean =>
  (Boolean(scope.workspace_ids) && place.workspace_id === null) || (Boolean(scope.environment_id) && place.environment_id === null);

/** Finds the scope of a subscription if the caller sees it. An environment implies its workspace. */
export const findScope = async (
  tx: TenantTransaction,
  scope: TenantScope,
  { workspace_id, environment_id }: SubscribedPlace,
): Promise<SubscribedPlace | Refusal<'NOT_FOUND' | 'PERMISSION_DENIED'>> => {
  if (environment_id !== null) {
    const environment = await findEnvironment(tx, scope.organization_id, environment_id);
    const isThere = environment && (workspace_id === null || workspace_id === environment.workspace_id);
    return isThere
      ? { workspace_id: environment.workspace_id, environment_id }
      : buildRefusal('NOT_FOUND', 'The environment does not exist.');
  }
  if (isTooWide(scope, { workspace_id, environment_id })) return buildRefusal('PERMISSION_DENIED', TOO_WIDE);
  if (workspace_id !== null && !(await workspaceExists(tx, scope.organization_id, workspace_id)))
    return buildRefusal('NOT_FOUND', 'The workspace does not exist.');
  return { workspace_id, environment_id };
};
