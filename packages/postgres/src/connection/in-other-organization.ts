import { sql } from 'kysely';
import type { TenantTransaction } from './in-tenant.ts';

/**
 * Switches to another organization within one transaction: for sessions that end in all organizations of a person at once, or not at
 * all. Row-level security shows only that organization meanwhile. The transaction must have access to the whole of its own.
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
