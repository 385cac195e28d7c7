import { sql } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';

/** Whether this transaction does this sweep of the organization; false while another one does. Given back when the transaction ends. */
export const takeSweepLock = async (tx: TenantTransaction, sweep: string, organizationId: string): Promise<boolean> => {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`svc sweep ${sweep} ${organizationId}`}, 0)) as taken`.execute(tx);
  return rows[0]?.taken ?? false;
};
