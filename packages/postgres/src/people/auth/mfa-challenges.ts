import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type FactorMethod, type Proof, SECOND_FACTORS } from '@svc/contract/tables/proofs.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { countsInOrganization } from '../second-factors/counts-in.ts';
import { findMembership, type Membership } from './people.ts';
import { presentEpoch } from './present-epoch.ts';
import { SESSION_ENDED_AT } from './session-end.ts';

export type NewChallengeRow = {
  readonly organization_id: string;
  /** The id of the future session. */
  readonly session_id: string;
  readonly user_id: string;
  readonly token_hash: Buffer;
  readonly proofs: readonly Proof[];
  /** Like that of a session. */
  readonly epoch?: number | undefined;
  readonly source: string;
  readonly expires_at: Date;
  readonly now: Date;
};

/** Stores a challenge. Expired ones of the person are deleted, and the oldest of too many. */
export const insertChallenge = async (tx: TenantTransaction, { now, proofs, epoch, ...row }: NewChallengeRow): Promise<void> => {
  await sql`
    delete from mfa_challenges where organization_id = ${row.organization_id} and user_id = ${row.user_id}
       and (expires_at < ${now} or session_id in (
         select session_id from mfa_challenges where organization_id = ${row.organization_id} and user_id = ${row.user_id}
          order by created_at desc offset ${LIMITS.secondFactors.challengesMax - 1}))`.execute(tx);
  await tx
    .insertInto('mfa_challenges')
    .values({ ...row, proofs: [...proofs], epoch: epoch ?? presentEpoch(row), created_at: now })
    .execute();
};

/** Returns the methods by which a person can meet a challenge in this organization, the most usual first; none without a factor. */
export const readMethods = async (tx: TenantTransaction, organizationId: string, userId: string, now: Date): Promise<FactorMethod[]> => {
  const { rows } = await sql<{ totp: boolean; passkey: boolean; recovery_code: boolean; device: boolean }>`
    select coalesce(bool_or(f.kind = 'TOTP'), false) as totp, coalesce(bool_or(f.kind = 'PASSKEY'), false) as passkey,
           exists (select from recovery_codes c where c.user_id = ${userId} and c.used_at is null and ${countsInOrganization('c', sql`${organizationId}`)}) as recovery_code,
           exists (select from sessions s where s.organization_id = ${organizationId} and s.user_id = ${userId}
             and s.expires_at > ${now} and s.epoch = ${presentEpoch({ organization_id: organizationId, user_id: userId })}
             and ${SESSION_ENDED_AT} is null and s.amr && ${SECOND_FACTORS}::text[]) as device
      from second_factors f
     where f.user_id = ${userId} and f.confirmed_at is not null and ${countsInOrganization('f', sql`${organizationId}`)}`.execute(tx);
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

/** A challenge by its token, with the person it is of as a member of its organization. */
export type ChallengeRow = Membership & {
  readonly session_id: string;
  readonly proofs: readonly Proof[];
  readonly source: string;
  /** Under which the first factor was proved. */
  readonly epoch: number;
  readonly failures: number;
  readonly expires_at: string;
  readonly used_at: string | null;
};

/** Undefined for an invalid token, and for one of a former member. */
export const findChallenge = async (identity: Database, tokenHash: Buffer): Promise<ChallengeRow | undefined> => {
  const row = await identity
    .selectFrom('mfa_challenges')
    .select(['organization_id', 'user_id', 'session_id', 'proofs', 'source', 'epoch', 'failures', 'expires_at', 'used_at'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  const membership = row && (await findMembership(identity, row.user_id, row.organization_id));
  return row && membership && { ...membership, ...row };
};

type ChallengeKey = { readonly organization_id: string; readonly session_id: string };

/** Takes a challenge once, while it lasts and has tries left. */
export const takeChallenge = async (tx: TenantTransaction, key: ChallengeKey, now: Date): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    update mfa_challenges set used_at = ${now}
     where organization_id = ${key.organization_id} and session_id = ${key.session_id} and used_at is null and expires_at > ${now}
       and failures < ${LIMITS.secondFactors.challengeAttemptsMax}`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
};

export const countChallengeFailure = async (tx: TenantTransaction, key: ChallengeKey): Promise<void> => {
  await sql`
    update mfa_challenges set failures = failures + 1
     where organization_id = ${key.organization_id} and session_id = ${key.session_id}
       and failures < ${LIMITS.secondFactors.challengeAttemptsMax}`.execute(tx);
};
