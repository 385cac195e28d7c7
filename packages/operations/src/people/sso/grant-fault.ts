import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { RoleRecord } from '@svc/domain/people/roles/role.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findRole } from '@svc/postgres/people/roles.ts';
import type { CallContext } from '../auth/acting.ts';
import { lockCurrentPermissions } from '../members/lock-permissions.ts';
import { refusePart } from './refuse-part.ts';

/** Roles that are given, with their pointers in the body. */
type Given = readonly { readonly role_id: string; readonly pointer: string }[];
/** Roles that were given before and may be lost now. */
type Taken = readonly { readonly role_id: string }[];

const LACKS = 'You can only assign or remove a role if you have all its permissions.';

const fault = (pointer: string, message: string): Refusal<'VALIDATION_FAILED'> =>
  buildRefusal('VALIDATION_FAILED', message, { faults: [{ pointer, message }] });

/**
 * Returns why a provider or directory may not give these roles: the caller must see the whole organization, where the roles will apply, and
 * hold each of them now; the owner role is excluded. Roles given before count too: their members lose them, and no one may take away what
 * they do not hold.
 */
export const findGrantRefusal = async (tx: TenantTransaction, acting: CallContext, given: Given, taken: Taken = []) => {
  const by = await lockCurrentPermissions(tx, acting, ['sso:update']);
  if (isRefusal(by)) return by;
  const part = refusePart({ ...acting.scope, workspace_ids: by.workspace_ids });
  if (part) return part;
  const find = (role_id: string) => findRole(tx, acting.scope.organization_id, role_id);
  const lackOf = (role: RoleRecord | undefined) => role?.permissions.filter((permission) => !by.permissions.includes(permission)) ?? [];
  for (const { role_id, pointer } of given) {
    const role = await find(role_id);
    if (!role) return fault(pointer, 'The role does not exist.');
    if (!role.for_keys) return fault(pointer, 'The owner role cannot be assigned this way. Choose another role.');
    const permissions = lackOf(role);
    if (permissions.length > 0) return buildRefusal('PERMISSION_DENIED', LACKS, { permissions });
  }
  for (const { role_id } of taken) {
    const permissions = lackOf(await find(role_id));
    if (permissions.length > 0) return buildRefusal('PERMISSION_DENIED', LACKS, { permissions });
  }
  return undefined;
};
