import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** Puts new codes in the place of those there are. */
export const replaceRecoveryCodes = async (tx: TenantTransaction, userId: string, hashes: readonly Buffer[], now: Date): Promise<void> => {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash, created_at: now })))
    .execute();
};

export const countRecoveryCodes = async (database: Database | TenantTransaction, userId: string): Promise<number> => {
  const { rows } = await sql<{ left: number }>`
    select count(*)::int as left from recovery_codes where user_id = ${userId} and used_at is null`.execute(database);
  return rows[0]?.left ?? 0;
};

export const isUnusedRecoveryCode = async (identity: Database, userId: string, codeHash: Buffer): Promise<boolean> => {
  const row = await identity
    .selectFrom('recovery_codes')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('code_hash', '=', codeHash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
};
