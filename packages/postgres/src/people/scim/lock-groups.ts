import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/**
 * In the transaction of a change of groups of an organization: waits for every other. So they are counted one after the other, and so are the
 * members of each: a person in more groups than there may be could not be told any more, nor made inactive. Taken before that of the staff.
 */
export const lockDirectoryGroups = async (tx: TenantTransaction, organizationId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`svc directory groups of ${organizationId}`}, 0))`.execute(tx);
};
