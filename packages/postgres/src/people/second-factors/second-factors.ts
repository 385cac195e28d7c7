import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { FactorKind } from '@svc/contract/tables/proofs.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** A factor that proves something: it was confirmed. */
export type FactorRow = {
  readonly id: string;
  readonly kind: FactorKind;
  readonly name: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
};

export type TotpRow = { readonly id: string; readonly sealed_secret: Buffer; readonly last_step: number | null };
export type PasskeyRow = {
  readonly id: string;
  readonly credential_id: Buffer;
  readonly public_key: Buffer;
  readonly sign_count: number;
  readonly transports: string[];
};

const confirmedOf = (database: Database | TenantTransaction, userId: string) =>
  database
    .selectFrom('second_factors')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(LIMITS.secondFactors.countMax);

export const listFactors = (database: Database | TenantTransaction, userId: string): Promise<FactorRow[]> =>
  confirmedOf(database, userId).select(['id', 'kind', 'name', 'created_at', 'last_used_at']).execute();

/** Generators of codes of a person, with their sealed secrets. */
export const readTotps = async (database: Database, userId: string): Promise<TotpRow[]> => {
  const rows = await confirmedOf(database, userId).where('kind', '=', 'TOTP').select(['id', 'sealed_secret', 'last_step']).execute();
  return rows.flatMap(({ sealed_secret, last_step, id }) =>
    sealed_secret === null ? [] : [{ id, sealed_secret, last_step: last_step === null ? null : Number(last_step) }],
  );
};

type Kept = { credential_id: Buffer | null; public_key: Buffer | null; sign_count: unknown; transports: string[] | null; id: string };

const asPasskey = ({ id, credential_id, public_key, sign_count, transports }: Kept): PasskeyRow[] =>
  credential_id === null || public_key === null
    ? []
    : [{ id, credential_id, public_key, sign_count: Number(sign_count), transports: transports ?? [] }];

export const readPasskeys = async (database: Database, userId: string): Promise<PasskeyRow[]> => {
  const rows = await confirmedOf(database, userId)
    .where('kind', '=', 'PASSKEY')
    .select(['id', 'credential_id', 'public_key', 'sign_count', 'transports'])
    .execute();
  return rows.flatMap(asPasskey);
};

/** A passkey by what it calls itself, and whose it is. */
export const findPasskey = async (
  identity: Database,
  credentialId: Buffer,
): Promise<(PasskeyRow & { readonly user_id: string; readonly is_second_only: boolean }) | undefined> => {
  const row = await identity
    .selectFrom('second_factors')
    .select(['user_id', 'is_second_only', 'id', 'credential_id', 'public_key', 'sign_count', 'transports'])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
  const [passkey] = row ? asPasskey(row) : [];
  return row && passkey && { ...passkey, user_id: row.user_id, is_second_only: row.is_second_only };
};

/** Whether the person has neither a password nor a second factor, so that only a new sign-in can prove them anew. */
export const hasNothingToProve = async (identity: Database, userId: string): Promise<boolean> => {
  const { rows } = await sql<{ nothing: boolean }>`
    select u.password_hash is null and not exists (select from second_factors f where f.user_id = u.id and f.confirmed_at is not null) as nothing
      from users u where u.id = ${userId}`.execute(identity);
  return rows[0]?.nothing ?? false;
};

export type NewFactorRow = {
  readonly user_id: string;
  readonly id: string;
  readonly name: string;
  /** The session that enrols it. */
  readonly enrolled_in: string;
  readonly now: Date;
} & (
  | { readonly kind: 'TOTP'; readonly sealed_secret: Buffer }
  | ({ readonly kind: 'PASSKEY'; readonly credential_id: Buffer; readonly public_key: Buffer } & {
      readonly sign_count: number;
      readonly transports: readonly string[];
      /** Whether no sign-in begins with it. */
      readonly is_second_only: boolean;
    })
);

/** How many factors there are, those that wait for their first code included; locked, so that of two changes the second counts the first. */
export const lockFactors = async (
  tx: TenantTransaction,
  userId: string,
): Promise<{ readonly id: string; readonly isConfirmed: boolean }[]> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('svc second factors of ' || ${userId}, 0))`.execute(tx);
  const rows = await tx.selectFrom('second_factors').select(['id', 'confirmed_at']).where('user_id', '=', userId).execute();
  return rows.map(({ id, confirmed_at }) => ({ id, isConfirmed: confirmed_at !== null }));
};

/** Keeps a factor; those that were never confirmed and whose time is over go. */
export const insertFactor = async (tx: TenantTransaction, { now, ...row }: NewFactorRow): Promise<void> => {
  const waitedSince = new Date(now.getTime() - LIMITS.secondFactors.enrolmentLifetimeSeconds * 1000);
  await tx
    .deleteFrom('second_factors')
    .where('user_id', '=', row.user_id)
    .where('confirmed_at', 'is', null)
    .where('created_at', '<', waitedSince.toISOString())
    .execute();
  const values = row.kind === 'PASSKEY' ? { ...row, transports: [...row.transports], confirmed_at: now } : row;
  await tx
    .insertInto('second_factors')
    .values({ ...values, created_at: now })
    .execute();
};

type Enrolling = { readonly userId: string; readonly id: string; readonly sessionId: string; readonly now: Date };

/** A generator of codes that waits for its first one, from the session that enrolled it. */
export const findUnconfirmed = async (identity: Database, { userId, id, sessionId, now }: Enrolling): Promise<Buffer | undefined> => {
  const row = await identity
    .selectFrom('second_factors')
    .select('sealed_secret')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('enrolled_in', '=', sessionId)
    .where('confirmed_at', 'is', null)
    .where('created_at', '>', new Date(now.getTime() - LIMITS.secondFactors.enrolmentLifetimeSeconds * 1000).toISOString())
    .executeTakeFirst();
  return row?.sealed_secret ?? undefined;
};

/** Undefined when it was confirmed meanwhile. */
export const confirmFactor = (
  tx: TenantTransaction,
  { userId, id, now }: Omit<Enrolling, 'sessionId'>,
  step: number,
): Promise<FactorRow | undefined> =>
  tx
    .updateTable('second_factors')
    .set({ confirmed_at: now, last_used_at: now, last_step: step })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('confirmed_at', 'is', null)
    .returning(['id', 'kind', 'name', 'created_at', 'last_used_at'])
    .executeTakeFirst();

/** Removes one, or all there are; the recovery codes go with the last. */
export const deleteFactors = async (tx: TenantTransaction, userId: string, ids: readonly string[]): Promise<FactorRow[]> => {
  if (ids.length === 0) return [];
  const gone = await tx
    .deleteFrom('second_factors')
    .where('user_id', '=', userId)
    .where('id', 'in', ids)
    .returning(['id', 'kind', 'name', 'created_at', 'last_used_at'])
    .execute();
  await sql`
    delete from recovery_codes where user_id = ${userId}
       and not exists (select from second_factors f where f.user_id = ${userId} and f.confirmed_at is not null)`.execute(tx);
  return gone;
};

/** Whether any organization of the person requires a second factor. */
export const isFactorRequired = async (identity: Database, userId: string): Promise<boolean> => {
  const { rows } = await sql<{ required: boolean }>`
    select exists (select from members m join organizations o on o.id = m.organization_id
      where m.user_id = ${userId} and o.require_mfa) as required`.execute(identity);
  return rows[0]?.required ?? true;
};

/** Whether the person belongs to another organization too. */
export const isElsewhere = async (identity: Database, userId: string, organizationId: string): Promise<boolean> => {
  const { rows } = await sql<{ elsewhere: boolean }>`
    select exists (select from members where user_id = ${userId} and organization_id <> ${organizationId}) as elsewhere`.execute(identity);
  return rows[0]?.elsewhere ?? true;
};
