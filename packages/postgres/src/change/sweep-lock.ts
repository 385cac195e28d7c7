import { sql } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';

/** The text whose hash is the key of the lock. */
export const sweepLockName = (sweep: string, organizationId: string): string => `svc sweep ${sweep} ${organizationId}`;

/**
 * Returns true if this transaction acquired the sweep of the organization; false while another one has it. Released when the transaction
 * ends.
 */
export const takeSweepLock = async (tx: TenantTransaction, sweep: string, organizationId: string): Promise<boolean> => {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${sweepLockName(sweep, organizationId)}, 0)) as taken`.execute(tx);
  return rows[0]?.taken ?? false;
};
