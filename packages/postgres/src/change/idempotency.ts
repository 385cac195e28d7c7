import { sql } from 'kysely';
import pg from 'pg';
import type { TenantTransaction } from '../connection/in-tenant.ts';

export type IdempotencyKey = {
  readonly organization_id: string;
  readonly principal_id: string;
  readonly operation: string;
  readonly key: string;
  readonly request_hash: Buffer;
};

export type FirstAnswer = { readonly request_hash: Buffer; readonly status: number; readonly body: unknown };

const LOCK_NOT_AVAILABLE = '55P03';

/** Returns true if the lock wait was for the row of the same key. A lock on the whole table is not a first request. */
const isStillClaimed = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE && (error.where?.includes('tuple') ?? false);

const insertClaim = (tx: TenantTransaction, key: IdempotencyKey): Promise<{ key: string } | undefined> =>
  tx
    .insertInto('idempotency_keys')
    .values({ ...key, status: null, body: null })
    .onConflict((conflict) => conflict.columns(['organization_id', 'principal_id', 'operation', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst();

/**
 * Claims the key inside the running transaction. A second call with the same key waits here until the first has committed
 * or failed, at most `waitMs` and always less than a statement may take; then it gets the first answer, or hears that it is still running.
 */
export const claimIdempotencyKey = async (
  tx: TenantTransaction,
  key: IdempotencyKey,
  waitMs: number,
): Promise<FirstAnswer | 'running' | undefined> => {
  await sql`select set_config('lock_timeout', least(${waitMs}::integer, coalesce(
    (select nullif(setting::integer, 0) * 3 / 4 from pg_settings where name = 'statement_timeout'), ${waitMs}::integer))::text, true)`.execute(
    tx,
  );
  const claimed = await insertClaim(tx, key).catch((error: unknown): 'running' => {
    if (isStillClaimed(error)) return 'running';
    throw error;
  });
  if (claimed === 'running') return 'running';
  if (claimed) return undefined;
  const first = await tx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'body'])
    .where('organization_id', '=', key.organization_id)
    .where('principal_id', '=', key.principal_id)
    .where('operation', '=', key.operation)
    .where('key', '=', key.key)
    .executeTakeFirst();
  // Deleted between the two statements, since it had expired: a retry finds the key free.
  return first?.status === undefined || first.status === null ? 'running' : { ...first, status: first.status };
};

/** Stored instead of a status: the response is a refusal, whose status follows from its code. */
export const REFUSED = 0;

/** Stores the response with the claim, in the transaction of the change. */
export const storeFirstAnswer = async (tx: TenantTransaction, key: IdempotencyKey, status: number, body: unknown): Promise<void> => {
  await tx
    .updateTable('idempotency_keys')
    .set({ status, body: JSON.stringify(body) })
    .where('organization_id', '=', key.organization_id)
    .where('principal_id', '=', key.principal_id)
    .where('operation', '=', key.operation)
    .where('key', '=', key.key)
    .execute();
};

/** Stores a refusal, whose claim was rolled back with it. If the key was claimed meanwhile, that response counts. */
export const storeRefusal = async (tx: TenantTransaction, key: IdempotencyKey, refused: unknown): Promise<void> => {
  await tx
    .insertInto('idempotency_keys')
    .values({ ...key, status: REFUSED, body: JSON.stringify(refused) })
    .onConflict((conflict) => conflict.columns(['organization_id', 'principal_id', 'operation', 'key']).doNothing())
    .execute();
};
