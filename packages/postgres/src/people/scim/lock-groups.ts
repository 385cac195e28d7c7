import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/**
 * For a transaction that changes groups of an organization: waits for every other. So groups and their members are counted
 * one after the other: a person in more groups than the maximum could not be returned any more, or deactivated. Taken before the lock of
 * the staff.
 */
export const lockDirectoryGroups = async (tx: TenantTransaction, organizationId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`svc directory groups of ${organizationId}`}, 0))`.execute(tx);
};
