import { sql } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';

/** Counts a request of this hour, and returns how many there are. Forgets the counts of earlier hours. */
export const countCodeAssistUse = async (tx: TenantTransaction, organizationId: string, now: Date): Promise<number> => {
  await sql`delete from code_assist_uses where organization_id = ${organizationId} and hour < date_trunc('hour', ${now}::timestamptz)`.execute(
    tx,
  );
  const { rows } = await sql<{ requests: number }>`
    insert into code_assist_uses (organization_id, hour, requests) values (${organizationId}, date_trunc('hour', ${now}::timestamptz), 1)
    on conflict (organization_id, hour) do update set requests = code_assist_uses.requests + 1
    returning requests`.execute(tx);
  return rows[0]?.requests ?? 1;
};
