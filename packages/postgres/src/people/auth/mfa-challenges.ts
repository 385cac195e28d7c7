import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type FactorMethod, type Proof, SECOND_FACTORS } from '@svc/contract/tables/proofs.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

export type NewChallengeRow = {
  readonly organization_id: string;
  /** Of the session to be. */
  readonly session_id: string;
  readonly user_id: string;
  readonly token_hash: Buffer;
  readonly proofs: readonly Proof[];
  readonly source: string;
  readonly expires_at: Date;
  readonly now: Date;
};

/** Keeps a challenge. Those of the person that are over go, and of too many the oldest. */
export const insertChallenge = async (tx: TenantTransaction, { now, proofs, ...row }: NewChallengeRow): Promise<void> => {
  await sql`
    delete from mfa_challenges where organization_id = ${row.organization_id} and user_id = ${row.user_id}
       and (expires_at < ${now} or session_id in (
         select session_id from mfa_challenges where organization_id = ${row.organization_id} and user_id = ${row.user_id}
          order by created_at desc offset ${LIMITS.secondFactors.challengesMax - 1}))`.execute(tx);
  await tx
    .insertInto('mfa_challenges')
    .values({ ...row, proofs: [...proofs], created_at: now })
    .execute();
};

/** How a person can meet a challenge in this organization, the most usual first; none where no factor is enrolled. */
export const readMethods = async (tx: TenantTransaction, organizationId: string, userId: string, now: Date): Promise<FactorMethod[]> => {
  const { rows } = await sql<{ totp: boolean; passkey: boolean; recovery_code: boolean; device: boolean }>`
    select coalesce(bool_or(f.kind = 'TOTP'), false) as totp, coalesce(bool_or(f.kind = 'PASSKEY'), false) as passkey,
           exists (select from recovery_codes c where c.user_id = ${userId} and c.used_at is null) as recovery_code,
           exists (select from sessions s where s.organization_id = ${organizationId} and s.user_id = ${userId} and s.revoked_at is null
             and s.expires_at > ${now} and s.amr && ${SECOND_FACTORS}::text[]) as device
      from second_factors f where f.user_id = ${userId} and f.confirmed_at is not null`.execute(tx);
  const [found] = rows;
  if (!found?.totp && !found?.passkey) return [];
  const { totp, passkey, recovery_code, device } = found;
  const open: readonly (readonly [FactorMethod, boolean])[] = [
    ['TOTP', totp],
    ['PASSKEY', passkey],
    ['RECOVERY_CODE', recovery_code],
    ['DEVICE', device],
  ];
  return open.flatMap(([method, isOpen]) => (isOpen ? [method] : []));
};
