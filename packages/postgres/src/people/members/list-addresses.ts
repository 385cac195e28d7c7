import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** The addresses of the members in some roles who see the whole organization, in the order in which they joined. */
export const listAddresses = async (tx: TenantTransaction, organizationId: string, roleIds: readonly string[]): Promise<string[]> => {
  const rows = await tx
    .selectFrom('members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('u.email')
    .where('m.organization_id', '=', organizationId)
    .where('m.role_id', 'in', [...roleIds])
    .where('m.is_limited', '=', false)
    .orderBy('m.created_at')
    .orderBy('m.id')
    .limit(LIMITS.people.ownersShownMax)
    .execute();
  return rows.map(({ email }) => email);
};
