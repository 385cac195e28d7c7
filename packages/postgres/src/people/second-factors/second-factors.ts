import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { FactorKind } from '@svc/contract/tables/proofs.ts';
import type { HeldFactor } from '@svc/domain/people/second-factors/vouching-organization.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { countsInOrganization, hasFactorInOrganization } from './counts-in.ts';

/** A factor that proves something: it was confirmed. */
export type FactorRow = {
  readonly id: string;
  readonly kind: FactorKind;
  readonly name: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  /** The organization in which alone it counts; null if it counts in all. */
  readonly vouched_by: string | null;
};

const FACTOR_COLUMNS = ['id', 'kind', 'name', 'created_at', 'last_used_at', 'vouched_by'] as const;

export type TotpRow = Pick<FactorRow, 'vouched_by'> & {
  readonly id: string;
  readonly sealed_secret: Buffer;
  readonly last_step: number | null;
};
export type PasskeyRow = Pick<FactorRow, 'vouched_by'> & {
  readonly id: string;
  readonly credential_id: Buffer;
  readonly public_key: Buffer;
  readonly sign_count: number;
  readonly transports: string[];
};

/** A person, and the organization in which their factors are to count; undefined for all factors they have. */
export type FactorOwner = { readonly userId: string; readonly organizationId: string | undefined };

const { countMax, shownMax } = LIMITS.secondFactors;

const confirmedOf = (database: Database | TenantTransaction, { userId, organizationId }: FactorOwner) =>
  database
    .selectFrom('second_factors')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .$if(organizationId !== undefined, (query) =>
      query.where((eb) => eb.or([eb('vouched_by', 'is', null), eb('vouched_by', '=', organizationId ?? '')])),
    )
    // Those that count in all organizations first, so that no number of others hides them.
    .orderBy('vouched_by', (order) => order.asc().nullsFirst())
    .orderBy('created_at')
    .orderBy('id')
    .limit(organizationId === undefined ? shownMax : 2 * countMax);

export const listFactors = (database: Database | TenantTransaction, whose: FactorOwner): Promise<FactorRow[]> =>
  confirmedOf(database, whose).select(FACTOR_COLUMNS).execute();

/** Generators of codes of a person, with their sealed secrets. */
export const readTotps = async (database: Database, whose: FactorOwner): Promise<TotpRow[]> => {
  const rows = await confirmedOf(database, whose)
    .where('kind', '=', 'TOTP')
    .select(['id', 'sealed_secret', 'last_step', 'vouched_by'])
    .execute();
  return rows.flatMap(({ sealed_secret, last_step, ...row }) =>
    sealed_secret === null ? [] : [{ ...row, sealed_secret, last_step: last_step === null ? null : Number(last_step) }],
  );
};

const PASSKEY_COLUMNS = ['id', 'credential_id', 'public_key', 'sign_count', 'transports', 'vouched_by'] as const;

type Kept = {
  credential_id: Buffer | null;
  public_key: Buffer | null;
  sign_count: unknown;
  transports: string[] | null;
  id: string;
} & Pick<FactorRow, 'vouched_by'>;

const asPasskey = ({ id, credential_id, public_key, sign_count, transports, vouched_by }: Kept): PasskeyRow[] =>
  credential_id === null || public_key === null
    ? []
    : [{ id, credential_id, public_key, sign_count: Number(sign_count), transports: transports ?? [], vouched_by }];

export const readPasskeys = async (database: Database, whose: FactorOwner): Promise<PasskeyRow[]> => {
  const rows = await confirmedOf(database, whose).where('kind', '=', 'PASSKEY').select(PASSKEY_COLUMNS).execute();
  return rows.flatMap(asPasskey);
};

/** A passkey by what it calls itself, and whose it is. */
export const findPasskey = async (
  identity: Database,
  credentialId: Buffer,
): Promise<(PasskeyRow & { readonly user_id: string }) | undefined> => {
  const row = await identity
    .selectFrom('second_factors')
    .select(['user_id', ...PASSKEY_COLUMNS])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
  const [passkey] = row ? asPasskey(row) : [];
  return row && passkey && { ...passkey, user_id: row.user_id };
};

/**
 * Returns true if the person has no password and no second factor that counts in the organization: only a new sign-in can prove them
 * again.
 */
export const hasNothingToProve = async (identity: Database, userId: string, organizationId: string): Promise<boolean> => {
  const { rows } = await sql<{ nothing: boolean }>`
    select u.password_hash is null and not ${hasFactorInOrganization('u.id', sql`${organizationId}`)} as nothing
      from users u where u.id = ${userId}`.execute(identity);
  return rows[0]?.nothing ?? false;
};

export type NewFactorRow = {
  readonly user_id: string;
  readonly id: string;
  readonly name: string;
  /** The session that enrols it. */
  readonly enrolled_in: string;
  /** The organization in which alone it counts; null if it counts in all. */
  readonly vouched_by: string | null;
  readonly now: Date;
} & (
  | { readonly kind: 'TOTP'; readonly sealed_secret: Buffer }
  | ({ readonly kind: 'PASSKEY'; readonly credential_id: Buffer; readonly public_key: Buffer } & {
      readonly sign_count: number;
      readonly transports: readonly string[];
    })
);

/** Counts the factors, unconfirmed ones included; locked, so that of two changes the second counts the first. */
export const lockFactors = async (tx: TenantTransaction, userId: string): Promise<HeldFactor[]> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('svc second factors of ' || ${userId}, 0))`.execute(tx);
  const rows = await tx.selectFrom('second_factors').select(['id', 'confirmed_at', 'vouched_by']).where('user_id', '=', userId).execute();
  return rows.map(({ id, confirmed_at, vouched_by }) => ({ id, isConfirmed: confirmed_at !== null, vouchedBy: vouched_by }));
};

/** Stores a factor; expired unconfirmed ones are deleted. */
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
  { userId, id, now, vouchedBy }: Omit<Enrolling, 'sessionId'> & { readonly vouchedBy: string | null },
  step: number,
): Promise<FactorRow | undefined> =>
  tx
    .updateTable('second_factors')
    .set({ confirmed_at: now, last_used_at: now, last_step: step, vouched_by: vouchedBy })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('confirmed_at', 'is', null)
    .returning(FACTOR_COLUMNS)
    .executeTakeFirst();

/** Makes a confirmed factor count in every organization of the person. Undefined if there is no such factor. */
export const claimFactor = (tx: TenantTransaction, userId: string, id: string): Promise<FactorRow | undefined> =>
  tx
    .updateTable('second_factors')
    .set({ vouched_by: null })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('confirmed_at', 'is not', null)
    .returning(FACTOR_COLUMNS)
    .executeTakeFirst();

/** Removes factors. Recovery codes are removed with the last factor that counts where they count. */
export const deleteFactors = async (tx: TenantTransaction, userId: string, ids: readonly string[]): Promise<FactorRow[]> => {
  if (ids.length === 0) return [];
  const gone = await tx
    .deleteFrom('second_factors')
    .where('user_id', '=', userId)
    .where('id', 'in', ids)
    .returning(FACTOR_COLUMNS)
    .execute();
  await sql`
    delete from recovery_codes c where c.user_id = ${userId}
       and not exists (select from second_factors f where f.user_id = ${userId} and f.confirmed_at is not null
         and (f.vouched_by is null or f.vouched_by = c.vouched_by))`.execute(tx);
  return gone;
};

/** Returns true if an organization of the person requires a second factor in which no factor but this one counts. */
export const isLastRequiredFactor = async (identity: Database, userId: string, { id, vouchedBy }: HeldFactor): Promise<boolean> => {
  const { rows } = await sql<{ required: boolean }>`
    select exists (select from members m join organizations o on o.id = m.organization_id
      where m.user_id = ${userId} and o.require_mfa and (${vouchedBy}::text is null or ${vouchedBy}::text = m.organization_id)
        and not exists (select from second_factors f where f.user_id = m.user_id and f.id <> ${id} and f.confirmed_at is not null
          and ${countsInOrganization('f', sql`m.organization_id`)})) as required`.execute(identity);
  return rows[0]?.required ?? true;
};

/** Returns true if the person belongs to another organization too. */
export const isElsewhere = async (identity: Database, userId: string, organizationId: string): Promise<boolean> => {
  const { rows } = await sql<{ elsewhere: boolean }>`
    select exists (select from members where user_id = ${userId} and organization_id <> ${organizationId}) as elsewhere`.execute(identity);
  return rows[0]?.elsewhere ?? true;
};
