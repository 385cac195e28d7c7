import { isRefusal, type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { type Acting, takeStanding } from '@svc/operations/people/members/take-standing.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findRole } from '@svc/postgres/people/roles.ts';
import { refusePart } from './refuse-part.ts';

/** Each role that is given, and where it stands in the body. */
type Given = readonly { readonly role_id: string; readonly pointer: string }[];

const fault = (pointer: string, message: string): Refusal<'VALIDATION_FAILED'> =>
  refusal('VALIDATION_FAILED', message, { faults: [{ pointer, message }] });

/**
 * Why roles may not be given away by a provider or a directory: whoever sets it sees the whole organization, where these roles will hold, and
 * gives nothing they do not hold at this moment; and nobody makes owners so.
 */
export const grantFault = async (tx: TenantTransaction, acting: Acting, given: Given) => {
  const by = await takeStanding(tx, acting, ['sso:update']);
  if (isRefusal(by)) return by;
  const part = refusePart({ ...acting.scope, workspace_ids: by.workspace_ids });
  if (part) return part;
  for (const { role_id, pointer } of given) {
    const role = await findRole(tx, acting.scope.organization_id, role_id);
    if (!role) return fault(pointer, 'There is no such role.');
    if (!role.for_keys) return fault(pointer, 'Nobody becomes an owner this way: name another role.');
    const missing = role.permissions.filter((permission) => !by.permissions.includes(permission));
    if (missing.length > 0)
      return refusal('PERMISSION_DENIED', 'A role can be given only by whoever holds each of its permissions.', { permissions: missing });
  }
  return undefined;
};
