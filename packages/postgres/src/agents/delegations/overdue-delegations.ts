import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';

/** Organizations with a delegation that has run out, or whose end is not yet written down everywhere below it. */
export const findOrganizationsWithOverdueDelegations = async (identity: Database, now: Date): Promise<string[]> => {
  const { rows } = await sql<{ organization_id: string }>`
    select organization_id from delegations where status = 'ACTIVE' and expires_at <= ${now}
     union select organization_id from delegations where ends_below`.execute(identity);
  return rows.map((row) => row.organization_id);
};
