import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { refusal } from '@svc/contract/rows/refusal.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findRole } from '@svc/postgres/people/roles.ts';

type Granting = {
  readonly organizationId: string;
  readonly lacks: (permissions: readonly Permission[]) => Permission[];
  /** Each role that is given, and where it stands in the body. */
  readonly given: readonly { readonly role_id: string; readonly pointer: string }[];
};

const fault = (pointer: string, message: string): Refusal<'VALIDATION_FAILED'> =>
  refusal('VALIDATION_FAILED', message, { faults: [{ pointer, message }] });

/** Why roles may not be given away by a provider or a directory: whoever sets it gives nothing they do not hold, and nobody makes owners so. */
export const grantFault = async (tx: TenantTransaction, { organizationId, lacks, given }: Granting) => {
  for (const { role_id, pointer } of given) {
    const role = await findRole(tx, organizationId, role_id);
    if (!role) return fault(pointer, 'There is no such role.');
    if (!role.for_keys) return fault(pointer, 'Nobody becomes an owner this way: name another role.');
    const missing = lacks(role.permissions as readonly Permission[]);
    if (missing.length > 0)
      return refusal('PERMISSION_DENIED', 'A role can be given only by whoever holds each of its permissions.', { permissions: missing });
  }
  return undefined;
};
