import { type Endpoint, listPermissions, stepUpOfRow } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { isId } from '@svc/contract/tables/ids.ts';
import { HEADERS } from '@svc/contract/tables/wire-name.ts';
import { hasFreshStepUp, stepUpRefusal } from '@svc/operations/people/auth/step-up.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { TenantScope } from '@svc/postgres/connection/in-tenant.ts';
import { findScope } from '@svc/postgres/people/auth/callers.ts';
import type { Caller } from '../calls/call.ts';

type HeaderValues = Readonly<Record<string, string | string[] | undefined>>;

/** Null if the header is missing. An empty header names nothing, and is not treated as missing. */
const single = (value: string | string[] | undefined): string | null => (value === undefined ? null : String(value));

/** Returns the scope of a request. A header only ever narrows; one that names anything else is refused. */
export const resolveScope = async (
  identity: Database,
  { organizationId, workspaceIds }: Pick<Caller, 'organizationId' | 'workspaceIds'>,
  headers: HeaderValues,
): Promise<TenantScope | Refusal> => {
  const workspace = single(headers[HEADERS.workspaceScope]);
  const environment = single(headers[HEADERS.environmentScope]);
  if (workspace === null && environment === null) return { organization_id: organizationId, workspace_ids: workspaceIds };
  const outside = buildRefusal('TENANT_MISMATCH', 'The scope header refers to a workspace or environment that you cannot access.');
  if (workspace !== null && (!isId('workspace', workspace) || workspaceIds?.includes(workspace) === false)) return outside;
  if (environment !== null && !isId('environment', environment)) return outside;
  const named = { workspaceIds: workspace === null ? workspaceIds : [workspace], environmentId: environment };
  const found = await findScope(identity, organizationId, named);
  return found ? { organization_id: organizationId, ...found } : outside;
};

/** Checks the permissions, of which the first missing one is reported, then the step-up; conditional ones are left to the handler. */
export const findPermissionRefusal = (row: Endpoint, caller: Caller, now: Date): Refusal | undefined => {
  if (row.credential === 'person' && caller.actor.type !== 'USER')
    return buildRefusal('PERMISSION_DENIED', 'Only a signed-in user can do this.');
  const lacked = listPermissions(row).find((permission) => !caller.permissions.has(permission));
  if (lacked !== undefined) return buildRefusal('PERMISSION_DENIED', undefined, { permission: lacked });
  return stepUpOfRow(row) === true && !hasFreshStepUp(caller, now) ? stepUpRefusal(caller) : undefined;
};
