import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { hasOwnFactor } from '../second-factors/counts-in.ts';

export type OwnPassword = {
  readonly password_hash: string | null;
  /** A second factor that counts in every organization, as the password does. */
  readonly has_factor: boolean;
  /** Whether the password holds beside a second factor alone. */
  readonly is_short: boolean;
  /** Whether somebody has proved that the address is theirs. */
  readonly is_proved: boolean;
  /** Since when the password is this one; null where there is no such person. */
  readonly changed_at: string | null;
};

/** What a person proves themselves with: the hash of the password, null where there is none, and whether a second factor is enrolled. */
export const findOwnPassword = async (identity: Database, userId: string): Promise<OwnPassword> => {
  const { rows } = await sql<OwnPassword>`
    select u.password_hash, u.password_is_short as is_short, u.email_verified_at is not null as is_proved, u.password_changed_at as changed_at,
           ${hasOwnFactor('u.id')} as has_factor
      from users u where u.id = ${userId}`.execute(identity);
  return rows[0] ?? { password_hash: null, has_factor: false, is_short: false, is_proved: false, changed_at: null };
};

export type NewPassword = { readonly userId: string; readonly phc: string; readonly isShort: boolean; readonly now: Date };

/**
 * Sets the password of a person of the tenant, and ends every session of theirs, in whichever organization. False, and nothing is done, for one
 * that holds beside a second factor alone where the last was removed meanwhile.
 */
export const setPassword = async (tx: TenantTransaction, { userId, phc, isShort, now }: NewPassword): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    update users u set password_hash = ${phc}, password_changed_at = ${now}, password_is_short = ${isShort}, session_epoch = session_epoch + 1
     where id = ${userId}
       and (not ${isShort} or ${hasOwnFactor('u.id')})`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
};

/** Nothing proves a person by a password any more, and every session of theirs ends, in whichever organization. */
export const takePasswordAway = async (tx: TenantTransaction, userId: string, now: Date): Promise<void> => {
  await sql`
    update users set password_hash = null, password_changed_at = ${now}, password_is_short = false, session_epoch = session_epoch + 1
     where id = ${userId}`.execute(tx);
};

/**
 * Takes a password away that holds beside a second factor alone, where there is no such factor any more; whether there was one. Under the lock of
 * the factors, so that no factor goes and no short password comes at the same moment.
 */
export const takeShortPasswordAway = async (tx: TenantTransaction, userId: string, now: Date): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    update users u set password_hash = null, password_changed_at = ${now}, password_is_short = false, session_epoch = session_epoch + 1
     where id = ${userId} and password_is_short
       and not ${hasOwnFactor('u.id')}`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
};

/** Whether the password holds beside a second factor alone, under the lock of the factors. */
export const isPasswordShort = async (tx: TenantTransaction, userId: string): Promise<boolean> =>
  (await tx.selectFrom('users').select('password_is_short').where('id', '=', userId).executeTakeFirst())?.password_is_short ?? false;
