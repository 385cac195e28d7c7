import { sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';

/** Organizations with idempotency keys first used before a time, whether of a change or of an action. */
export const findOrganizationsWithOldIdempotencyKeys = async (identity: Database, before: Date): Promise<string[]> => {
  const { rows } = await sql<{ organization_id: string }>`
    select organization_id from idempotency_keys where created_at <= ${before}
     union select organization_id from actions where idempotency_key is not null and created_at <= ${before}`.execute(identity);
  return rows.map((row) => row.organization_id);
};

/** Deletes at most `limit` of each, so that a key can be used again; the actions themselves stay. Returns the numbers. */
export const forgetOldIdempotencyKeys = async (
  tx: TenantTransaction,
  organizationId: string,
  before: Date,
  limit: number,
): Promise<number> => {
  const answers = await sql`
    delete from idempotency_keys where organization_id = ${organizationId} and (principal_id, operation, key) in (
      select principal_id, operation, key from idempotency_keys
       where organization_id = ${organizationId} and created_at <= ${before} limit ${limit})`.execute(tx);
  const actions = await sql`
    update actions set idempotency_key = null, idempotency_hash = null where organization_id = ${organizationId} and id in (
      select id from actions where organization_id = ${organizationId} and idempotency_key is not null and created_at <= ${before}
       limit ${limit} for update skip locked)`.execute(tx);
  return Math.max(Number(answers.numAffectedRows ?? 0), Number(actions.numAffectedRows ?? 0));
};
