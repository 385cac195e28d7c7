import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { commitsAlike } from '../auth/commits-alike.ts';

const { attemptsMax } = LIMITS.codes;
const { resendAfterSeconds, perHourMax, sweepBatchMax } = LIMITS.passwordResets;

/** A stored code: under a digest of the address, with a keyed hash. */
export type ResetCode = {
  readonly key: string;
  readonly codeHash: Buffer;
  /** True if wrong ones use it up: if it is short enough to be guessed. */
  readonly isCounted: boolean;
  readonly now: Date;
};

/** Deletes long expired codes, a few at a time, so that invented addresses do not accumulate. */
const sweep = (tx: TenantTransaction, now: Date) =>
  sql`
    delete from password_resets where key in (
      select key from password_resets where expires_at < ${now}::timestamptz - interval '1 hour'
       order by expires_at limit ${sweepBatchMax} for update skip locked)`.execute(tx);

/**
 * Stores a code, replacing the previous one. Returns false if one was sent just now, or too many within the hour: then that one stays,
 * and none is to be sent; `always` is for requests by others than the address.
 */
export const insertResetCode = async (
  tx: TenantTransaction,
  { key, codeHash, now, expiresAt, always = false }: ResetCode & { readonly expiresAt: Date; readonly always?: boolean },
): Promise<boolean> => {
  await sweep(tx, now);
  const { rows } = await sql`
    insert into password_resets as r (key, code_hash, sent_at, hour_began_at, expires_at)
    values (${key}, ${codeHash}, ${now}, ${now}, ${expiresAt})
    on conflict (key) do update set code_hash = excluded.code_hash, attempts = 0, used_at = null, sent_at = excluded.sent_at,
      expires_at = excluded.expires_at,
      hour_began_at = case when r.hour_began_at <= excluded.sent_at - interval '1 hour' then excluded.sent_at else r.hour_began_at end,
      sent_in_hour = case when r.hour_began_at <= excluded.sent_at - interval '1 hour' then 1 else r.sent_in_hour + 1 end
    where ${always} or (r.sent_at <= excluded.sent_at - make_interval(secs => ${resendAfterSeconds})
      and (r.hour_began_at <= excluded.sent_at - interval '1 hour' or r.sent_in_hour < ${perHourMax}))
    returning 1`.execute(tx);
  return rows.length > 0;
};

/**
 * Compares a code with the stored one; a wrong one uses one of its tries, if they are counted, in the same statement. It stays valid until
 * it is used. Costs the
 * database as much if none is stored.
 */
export const isResetCode = async (identity: Database, { key, codeHash, isCounted, now }: ResetCode): Promise<boolean> => {
  const { rows } = await sql<{ is_right: boolean | null }>`
    with tried as (
      update password_resets set attempts = attempts + case when code_hash = ${codeHash} or not ${isCounted}::boolean then 0 else 1 end
       where key = ${key} and used_at is null and expires_at > ${now} and (attempts < ${attemptsMax} or not ${isCounted}::boolean)
      returning code_hash = ${codeHash} as is_right)
    select t.is_right, ${commitsAlike('tried')} from (select) as one left join tried t on true`.execute(identity);
  return rows[0]?.is_right ?? false;
};

/** Uses the code up; of many at once this is true for one. */
export const takeResetCode = async (tx: TenantTransaction, { key, codeHash, isCounted, now }: ResetCode): Promise<boolean> => {
  const { rows } = await sql`
    update password_resets set used_at = ${now}
     where key = ${key} and code_hash = ${codeHash} and used_at is null and expires_at > ${now} and (attempts < ${attemptsMax} or not ${isCounted}::boolean)
    returning 1`.execute(tx);
  return rows.length > 0;
};

/** Codes that are under way are of no use any more, as once there is another password. */
export const endResetCodes = async (tx: TenantTransaction, keys: readonly string[], now: Date): Promise<void> => {
  await sql`update password_resets set used_at = ${now} where key = any(${keys}::text[]) and used_at is null`.execute(tx);
};
