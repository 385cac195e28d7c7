import type { TenantTransaction } from '../connection/in-tenant.ts';

/** Names of people by their ids. */
export const readUserNames = async (tx: TenantTransaction, ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .selectFrom('users')
    .select(['id', 'name'])
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
};
