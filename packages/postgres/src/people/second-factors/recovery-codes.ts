import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { countsInOrganization } from './counts-in.ts';

type Codes = { readonly userId: string; readonly hashes: readonly Buffer[]; readonly vouchedBy: string | null; readonly now: Date };

/** Replaces the recovery codes that count in one organization by its provider; codes that count in all replace every other. */
export const replaceRecoveryCodes = async (tx: TenantTransaction, { userId, hashes, vouchedBy, now }: Codes): Promise<void> => {
  await tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .$if(vouchedBy !== null, (query) => query.where('vouched_by', '=', vouchedBy))
    .execute();
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash, vouched_by: vouchedBy, created_at: now })))
    .execute();
};

/** Counts the unused codes that count in the organization. */
export const countRecoveryCodes = async (
  database: Database | TenantTransaction,
  userId: string,
  organizationId: string,
): Promise<number> => {
  const { rows } = await sql<{ left: number }>`
    select count(*)::int as left from recovery_codes c
     where c.user_id = ${userId} and c.used_at is null and ${countsInOrganization('c', sql`${organizationId}`)}`.execute(database);
  return rows[0]?.left ?? 0;
};

/** An unused code of a person that counts in the organization. */
export const findRecoveryCode = async (
  identity: Database,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
  codeHash: Buffer,
): Promise<{ readonly vouched_by: string | null } | undefined> => {
  const { rows } = await sql<{ vouched_by: string | null }>`
    select c.vouched_by from recovery_codes c
     where c.user_id = ${userId} and c.code_hash = ${codeHash} and c.used_at is null and ${countsInOrganization('c', sql`${organizationId}`)}`.execute(
    identity,
  );
  return rows[0];
};
