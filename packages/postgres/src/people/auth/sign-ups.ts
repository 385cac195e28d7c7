import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { commitsAlike } from './commits-alike.ts';

const { waitingMax } = LIMITS.signUps;
const { attemptsMax } = LIMITS.codes;

/** A sign-up that waits for its code. `sealed` contains its person, and the hash of the password. */
export type WaitingSignUp = { readonly id: string; readonly sealed: Buffer; readonly is_contested: boolean };

/** Those of an address, newest first. */
export const listSignUps = async (identity: Database, emailKey: string, now: Date): Promise<readonly WaitingSignUp[]> =>
  identity
    .selectFrom('sign_ups')
    .select(['id', 'sealed', 'is_contested'])
    .where('email_key', '=', emailKey)
    .where('expires_at', '>', now.toISOString())
    .where('used_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(waitingMax)
    .execute();

export type NewSignUp = {
  readonly id: string;
  readonly email_key: string;
  readonly sealed: Buffer;
  readonly code_hash: Buffer;
  readonly expires_at: Date;
  readonly now: Date;
};

/** Earlier sign-ups of the address: the newest waiting one, and if this one is of the same person. */
export type EarlierSignUps = { readonly seen: readonly string[]; readonly replaces: WaitingSignUp | undefined };

/**
 * Begins a sign-up. It replaces another one of the same person; one next to a different or concurrent one makes
 * both contested, so that the code alone does not decide. Sign-ups of one address are serialized.
 */
export const beginSignUp = async (tx: TenantTransaction, { now, ...row }: NewSignUp, { seen, replaces }: EarlierSignUps): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`svc sign-up ${row.email_key}`}, 0))`.execute(tx);
  const { rows } = await sql<{ id: string }>`
    select id from sign_ups where email_key = ${row.email_key} and expires_at > ${now} and used_at is null
     order by created_at desc, id desc`.execute(tx);
  const waiting = rows.map(({ id }) => id);
  const others = waiting.filter((id) => id !== replaces?.id);
  const isContested =
    others.some((id) => !seen.includes(id)) || (others.length > 0 && replaces === undefined) || (replaces?.is_contested ?? false);
  const gone = [...(replaces ? [replaces.id] : []), ...others.slice(waitingMax - 1)];
  await sql`delete from sign_ups where id = any(${gone})`.execute(tx);
  await sql`update sign_ups set is_contested = true where id = any(${others}) and ${isContested}`.execute(tx);
  await tx
    .insertInto('sign_ups')
    .values({ ...row, is_contested: isContested, created_at: now })
    .execute();
};

/** A sign-up that a code is compared with. `isInTime`: one of its first tries, and it was not used; otherwise a right code is too late. */
export type TriedSignUp = WaitingSignUp & { readonly code_hash: Buffer; readonly isInTime: boolean };

/** Counts a try on every sign-up of an address, and returns the values to compare with. Costs the database as much if there is none. */
export const trySignUps = async (identity: Database, emailKey: string, now: Date): Promise<readonly TriedSignUp[]> => {
  const { rows } = await sql<WaitingSignUp & { id: string | null; code_hash: Buffer; in_time: boolean }>`
    with tried as (
      update sign_ups set attempts = least(attempts + 1, ${attemptsMax + 1})
       where email_key = ${emailKey} and expires_at > ${now}
      returning id, sealed, is_contested, code_hash, attempts <= ${attemptsMax} and used_at is null as in_time)
    select t.*, ${commitsAlike('tried')} from (select) as one left join tried t on true`.execute(identity);
  return rows.flatMap(({ in_time, id, sealed, is_contested, code_hash }) =>
    id === null ? [] : [{ id, sealed, is_contested, code_hash, isInTime: in_time }],
  );
};

/**
 * Returns true if this change used the sign-up; of concurrent ones with the same code one gets true. All others of the address end with it.
 */
export const takeSignUp = async (tx: TenantTransaction, id: string, emailKey: string, now: Date): Promise<boolean> => {
  const { rows } = await sql`
    update sign_ups set used_at = ${now}, sealed = '' where id = ${id} and used_at is null and expires_at > ${now} returning 1`.execute(tx);
  if (rows.length === 0) return false;
  await sql`delete from sign_ups where email_key = ${emailKey} and id <> ${id}`.execute(tx);
  return true;
};
