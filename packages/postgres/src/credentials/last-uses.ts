import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';

/**
 * Returns when each credential was last leased for a call, among the newest events of the organization. No decision stores it separately:
 * it
 * is read from the record, and older uses are found there by the id of the credential.
 */
export const readLastUses = async (tx: TenantTransaction, organizationId: string): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await sql<{ credential_id: string; last_used_at: string }>`
    select e.data ->> 'credential_id' as credential_id, max(e.occurred_at) as last_used_at
      from (select type, data, occurred_at from audit_events where organization_id = ${organizationId}
             order by id desc limit ${LIMITS.credentials.usesLookBackEventsMax}) e
     where e.type = 'credential.issued' group by 1`.execute(tx);
  return new Map(rows.map(({ credential_id, last_used_at }) => [credential_id, last_used_at]));
};
