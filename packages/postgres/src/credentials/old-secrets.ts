import { sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';

/** Organizations with credentials whose secret before a rotation is accepted no more. */
export const findOrganizationsWithOldSecrets = async (identity: Database, now: Date): Promise<string[]> => {
  const { rows } = await sql<{ organization_id: string }>`
    select distinct organization_id from credentials where previous_ends_at <= ${now}`.execute(identity);
  return rows.map((row) => row.organization_id);
};

/** Erases at most `limit` of them. Answers how many went. */
export const forgetOldSecrets = async (tx: TenantTransaction, organizationId: string, now: Date, limit: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    update credentials set sealed_previous_secret = null, previous_ends_at = null where organization_id = ${organizationId} and id in (
      select id from credentials where organization_id = ${organizationId} and previous_ends_at <= ${now}
       limit ${limit} for update skip locked)`.execute(tx);
  return Number(numAffectedRows ?? 0);
};
