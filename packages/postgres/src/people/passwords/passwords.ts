import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { hasOwnFactor } from '../second-factors/counts-in.ts';

export type OwnPassword = {
  readonly password_hash: string | null;
  /** A second factor that counts in every organization, as the password does. */
  readonly has_factor: boolean;
  /** True if the password is only valid with a second factor. */
  readonly is_short: boolean;
  /** True if the address was proved. */
  readonly is_proved: boolean;
  /** Since when the password is current; null if there is no such person. */
  readonly changed_at: string | null;
};

/** Returns a person's own proofs: the hash of the password, null if there is none, and if a second factor is enrolled. */
export const findOwnPassword = async (identity: Database, userId: string): Promise<OwnPassword> => {
  const { rows } = await sql<OwnPassword>`
    select u.password_hash, u.password_is_short as is_short, u.email_verified_at is not null as is_proved, u.password_changed_at as changed_at,
           ${hasOwnFactor('u.id')} as has_factor
      from users u where u.id = ${userId}`.execute(identity);
  return rows[0] ?? { password_hash: null, has_factor: false, is_short: false, is_proved: false, changed_at: null };
};

export type PasswordChange = { readonly userId: string; readonly phc: string; readonly isShort: boolean; readonly now: Date };

/**
 * Sets the password of a person of the tenant, and ends every session of theirs, in all organizations. Returns false, without a change, for
 * one
 * that requires a second factor if the last was removed meanwhile.
 */
export const setPassword = async (tx: TenantTransaction, { userId, phc, isShort, now }: PasswordChange): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    update users u set password_hash = ${phc}, password_changed_at = ${now}, password_is_short = ${isShort}, session_epoch = session_epoch + 1
     where id = ${userId}
       and (not ${isShort} or ${hasOwnFactor('u.id')})`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
};

/** Removes the password of a person, and ends every session of theirs, in all organizations. */
export const takePasswordAway = async (tx: TenantTransaction, userId: string, now: Date): Promise<void> => {
  await sql`
    update users set password_hash = null, password_changed_at = ${now}, password_is_short = false, session_epoch = session_epoch + 1
     where id = ${userId}`.execute(tx);
};

/**
 * Removes a password that requires a second factor, if there is none any more; returns true if there was one. Under the lock of
 * the factors, so that removing a factor and setting a short password are serialized.
 */
export const takeShortPasswordAway = async (tx: TenantTransaction, userId: string, now: Date): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    update users u set password_hash = null, password_changed_at = ${now}, password_is_short = false, session_epoch = session_epoch + 1
     where id = ${userId} and password_is_short
       and not ${hasOwnFactor('u.id')}`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
};

/** Returns true if the password requires a second factor, under the lock of the factors. */
export const isPasswordShort = async (tx: TenantTransaction, userId: string): Promise<boolean> =>
  (await tx.selectFrom('users').select('password_is_short').where('id', '=', userId).executeTakeFirst())?.password_is_short ?? false;
