import { sql } from 'kysely';
import type { TenantTransaction } from './in-tenant.ts';

/**
 * Goes over to another organization for a moment, within one transaction: for what ends in all organizations of a person at once, or not at
 * all. Row-level security shows that organization and nothing of the first meanwhile. The transaction has to see the whole of its own.
 */
export const inOtherOrganization = async <Result>(
  tx: TenantTransaction,
  { from, to }: { readonly from: string; readonly to: string },
  work: () => Promise<Result>,
): Promise<Result> => {
  const enter = (id: string) => sql`select set_config('svc.organization_id', ${id}, true)`.execute(tx);
  await enter(to);
  const result = await work();
  await enter(from);
  return result;
};
