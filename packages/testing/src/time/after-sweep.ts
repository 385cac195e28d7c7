import { sweepLockName } from '@svc/postgres/change/sweep-lock.ts';
import type pg from 'pg';

/**
 * Waits until no job processes an organization: a started plane does so periodically, and a concurrent call of the same job leaves the work
 * to it.
 */
export const waitForAfterSweep = async (client: pg.Client, sweep: string, organizationId: string): Promise<void> => {
  const key = [sweepLockName(sweep, organizationId)];
  await client.query('select pg_advisory_lock(hashtextextended($1, 0))', key);
  await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', key);
};
