import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';

const { testsPerMinuteMax, testsPerOrganizationPerMinuteMax } = LIMITS.credentials;
const MINUTE_MS = 60_000;

type Beginning = { readonly organization_id: string; readonly credential_id: string; readonly lease_id: string; readonly now: Date };

/**
 * Records a test call, and deletes those outside of any window; returns false if the credential or the organization reached its rate limit
 * per
 * minute. Test calls of one organization are serialized, over all planes.
 */
export const beginTestCall = async (
  tx: TenantTransaction,
  { organization_id, credential_id, lease_id, now }: Beginning,
): Promise<boolean> => {
  const since = new Date(now.getTime() - MINUTE_MS);
  // From a clock that was ahead and has been corrected: it would be counted until that time comes.
  const ahead = new Date(now.getTime() + MINUTE_MS);
  await sql`select pg_advisory_xact_lock(hashtextextended('svc credential tests ' || ${organization_id}, 0))`.execute(tx);
  await sql`delete from credential_tests where organization_id = ${organization_id} and (began_at <= ${since} or began_at > ${ahead})`.execute(
    tx,
  );
  const { rows } = await sql`
    insert into credential_tests (organization_id, lease_id, credential_id, began_at)
    select ${organization_id}, ${lease_id}, ${credential_id}, ${now}
     where (select count(*) from credential_tests where organization_id = ${organization_id} and credential_id = ${credential_id}) < ${testsPerMinuteMax}
       and (select count(*) from credential_tests where organization_id = ${organization_id}) < ${testsPerOrganizationPerMinuteMax}
    returning 1`.execute(tx);
  return rows.length > 0;
};
