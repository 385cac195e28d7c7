import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** Returns true if one of these ids is not visible to the caller. */
export const isOneMissing = async (
  tx: TenantTransaction,
  organizationId: string,
  table: 'environments' | 'tools',
  ids: readonly string[],
): Promise<boolean> => {
  if (ids.length === 0) return false;
  const found = await tx.selectFrom(table).select('id').where('organization_id', '=', organizationId).where('id', 'in', ids).execute();
  return found.length < new Set(ids).size;
};
