import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Call } from '@svc/http/calls/call.ts';
import { readCurrentPermissions } from '@svc/operations/people/members/lock-permissions.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { holdStaff } from '@svc/postgres/people/members/staff.ts';

type Delegating = Pick<Call<Endpoints['createDelegation']>, 'scope' | 'caller' | 'now'>;

/**
 * True if the caller still holds `delegation:create`. Locks the staff of the organization, so that a change of the caller's permissions sees
 * the delegation, or this request sees the change.
 */
export const mayStillDelegate = async (tx: TenantTransaction, { scope, caller, now }: Delegating): Promise<boolean> => {
  await holdStaff(tx, scope.organization_id);
  const standing = await inWholeOrganization(tx, scope, () => readCurrentPermissions(tx, scope.organization_id, caller.actor, now));
  return standing?.permissions.includes('delegation:create') ?? false;
};
