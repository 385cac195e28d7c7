import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** Expired proofs that each use deletes: more than it adds, so that they do not pile up. */
const DELETED_MAX = 3;

/** Uses up a proof; false if it was used before. */
export const useProof = async (
  tx: TenantTransaction,
  organizationId: string,
  { hash, now, expiresAt }: { readonly hash: string; readonly now: Date; readonly expiresAt: Date },
): Promise<boolean> => {
  await sql`
    delete from dpop_proofs where organization_id = ${organizationId} and proof_hash in (
      select proof_hash from dpop_proofs where organization_id = ${organizationId} and expires_at <= ${now}
       order by expires_at limit ${DELETED_MAX} for update skip locked)`.execute(tx);
  const { numAffectedRows } = await sql`
    insert into dpop_proofs (organization_id, proof_hash, expires_at) values (${organizationId}, ${hash}, ${expiresAt})
    on conflict do nothing`.execute(tx);
  return numAffectedRows === 1n;
};
