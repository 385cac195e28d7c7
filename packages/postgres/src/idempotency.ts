import { sql } from 'kysely';
import type { TenantTransaction } from './in-tenant.ts';

export type IdempotencyKey = {
  readonly organization_id: string;
  readonly principal_id: string;
  readonly operation: string;
  readonly key: string;
  readonly request_hash: Buffer;
};

export type FirstAnswer = { readonly request_hash: Buffer; readonly status: number | null; readonly body: unknown };

/**
 * Claims the key inside the running transaction. A second call with the same key waits here until the first has committed
 * or failed, at most `waitMs`; then it gets the first answer instead of undefined.
 */
export const claimIdempotencyKey = async (tx: TenantTransaction, key: IdempotencyKey, waitMs: number): Promise<FirstAnswer | undefined> => {
  await sql`select set_config('lock_timeout', ${`${waitMs}ms`}, true)`.execute(tx);
  const claimed = await tx
    .insertInto('idempotency_keys')
    .values({ ...key, status: null, body: null })
    .onConflict((conflict) => conflict.columns(['organization_id', 'principal_id', 'operation', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst();
  if (claimed) return undefined;
  return await tx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'body'])
    .where('organization_id', '=', key.organization_id)
    .where('principal_id', '=', key.principal_id)
    .where('operation', '=', key.operation)
    .where('key', '=', key.key)
    .executeTakeFirst();
};

/** Writes the answer beside the claim, in the same transaction as the change it answers. */
export const storeFirstAnswer = async (tx: TenantTransaction, key: IdempotencyKey, status: number, body: unknown): Promise<void> => {
  await tx
    .insertInto('idempotency_keys')
    .values({ ...key, status, body: JSON.stringify(body) })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'principal_id', 'operation', 'key']).doUpdateSet({ status, body: JSON.stringify(body) }),
    )
    .execute();
};
