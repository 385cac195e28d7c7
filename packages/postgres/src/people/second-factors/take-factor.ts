import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

const isTaken = ({ numAffectedRows }: { readonly numAffectedRows?: bigint }): boolean => (numAffectedRows ?? 0n) > 0n;

/** Uses the code of a time step, unless that step or a later one was used: of concurrent ones, on any plane, one succeeds. */
export const takeStep = async (tx: TenantTransaction, userId: string, id: string, step: number, now: Date): Promise<boolean> =>
  isTaken(
    await sql`
      update second_factors set last_step = ${step}, last_used_at = ${now}
       where user_id = ${userId} and id = ${id} and confirmed_at is not null and (last_step is null or last_step < ${step})`.execute(tx),
  );

/** Takes a recovery code once. */
export const takeRecoveryCode = async (tx: TenantTransaction, userId: string, codeHash: Buffer, now: Date): Promise<boolean> =>
  isTaken(
    await sql`
      update recovery_codes set used_at = ${now} where user_id = ${userId} and code_hash = ${codeHash} and used_at is null`.execute(tx),
  );

type Signed = { readonly signCount: number; readonly met: { readonly hash: Buffer; readonly end: Date } };

/** Keeps a challenge of WebAuthn as met; false when it was already. */
export const takePasskeyChallenge = async (tx: TenantTransaction, { hash, end }: Signed['met']): Promise<boolean> =>
  isTaken(
    await sql`insert into used_passkey_challenges (challenge_hash, expires_at) values (${hash}, ${end}) on conflict do nothing`.execute(tx),
  );

/** Uses a passkey's signature: its challenge once, and its counter only upwards if it is in use. */
export const takeAssertion = async (
  tx: TenantTransaction,
  userId: string,
  id: string,
  { signCount, met }: Signed,
  now: Date,
): Promise<boolean> => {
  if (!(await takePasskeyChallenge(tx, met))) return false;
  return isTaken(
    await sql`
      update second_factors set sign_count = ${signCount}, last_used_at = ${now}
       where user_id = ${userId} and id = ${id} and (sign_count < ${signCount} or (sign_count = 0 and ${signCount} = 0))`.execute(tx),
  );
};
