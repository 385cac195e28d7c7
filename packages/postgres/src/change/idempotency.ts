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

/** Whether what was waited for is the row of the same key. Somebody who locked the whole table is no first request. */
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
  // Forgotten between the two statements, for its time was over: whoever asks again finds the key free.
  return first?.status === undefined || first.status === null ? 'running' : { ...first, status: first.status };
};

/** In the place of a status: what was answered is a refusal, whose status its code tells. */
export const REFUSED = 0;

/** Writes the answer beside the claim, in the same transaction as the change it answers. */
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

/** Keeps a refusal, whose claim was rolled back with it. Whoever claimed the key meanwhile was first: that answer stands. */
export const storeRefusal = async (tx: TenantTransaction, key: IdempotencyKey, refused: unknown): Promise<void> => {
  await tx
    .insertInto('idempotency_keys')
    .values({ ...key, status: REFUSED, body: JSON.stringify(refused) })
    .onConflict((conflict) => conflict.columns(['organization_id', 'principal_id', 'operation', 'key']).doNothing())
    .execute();
};
