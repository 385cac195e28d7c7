import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** Organizations with uses of counters that have left every window. */
export const findOrganizationsWithOldCounterUses = async (identity: Database, now: Date): Promise<string[]> => {
  const { rows } = await sql<{ organization_id: string }>`
    select distinct organization_id from counter_uses where kept_until <= ${now}`.execute(identity);
  return rows.map((row) => row.organization_id);
};

/** Deletes at most `limit` of them; returns the number. The total of a counter is kept. */
export const deleteOldCounterUses = async (tx: TenantTransaction, organizationId: string, now: Date, limit: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from counter_uses where organization_id = ${organizationId} and (counter, total) in (
      select counter, total from counter_uses where organization_id = ${organizationId} and kept_until <= ${now}
       order by kept_until limit ${limit})`.execute(tx);
  return Number(numAffectedRows ?? 0);
};
