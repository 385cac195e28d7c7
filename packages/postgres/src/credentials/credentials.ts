import type { Credential, CredentialKind, CredentialStatus } from '@svc/contract/credentials/credentials.ts';
import type { StoredOauth } from '@svc/contract/credentials/oauth.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Insertable, sql, type Updateable } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import type { Tables } from '../connection/tables.ts';

const TOLD = [
  ...([
    'id',
    'name',
    'description',
    'workspace_id',
    'environment_id',
    'scheme',
    'placement',
    'extras',
    'destinations',
    'tools',
    'servers',
    'status',
  ] as const),
  ...(['revoked_reason', 'generation', 'rotated_at', 'previous_ends_at', 'oauth', 'created_by', 'created_at', 'updated_at'] as const),
] as const;

/** A credential without its secrets; its token state is in separate rows, and its uses are events. */
export type StoredCredential = Omit<Credential, 'oauth' | 'last_used_at'> & { readonly oauth: StoredOauth | null };
type Key = { readonly organization_id: string; readonly id: string };

/** Serializes the creation of credentials in one organization, so that the limit holds. */
export const takeCredentialTurn = async (tx: TenantTransaction, organizationId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('svc credentials ' || ${organizationId}, 0))`.execute(tx);
};

/** Active ones, as far as the transaction sees them. */
export const countCredentials = async (tx: TenantTransaction, organizationId: string): Promise<number> => {
  const { count } = await tx
    .selectFrom('credentials')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('status', '=', 'ACTIVE')
    .executeTakeFirstOrThrow();
  return count;
};

export type CredentialFilter = {
  readonly status?: CredentialStatus | undefined;
  readonly kind?: CredentialKind | undefined;
  readonly tool?: string | undefined;
  readonly environment_id?: string | undefined;
};

/** Active ones before revoked ones, and each kind oldest first. */
export const listCredentials = async (
  tx: TenantTransaction,
  organizationId: string,
  { status, kind, tool, environment_id }: CredentialFilter,
): Promise<StoredCredential[]> =>
  (await tx
    .selectFrom('credentials')
    .select(TOLD)
    .where('organization_id', '=', organizationId)
    .$if(status !== undefined, (some) => some.where('status', '=', status ?? 'ACTIVE'))
    .$if(kind !== undefined, (some) => some.where(sql<boolean>`coalesce(oauth ->> 'grant', 'FIXED') = ${kind}`))
    .$if(tool !== undefined, (some) => some.where(sql<boolean>`${tool} = any(tools)`))
    .$if(environment_id !== undefined, (some) => some.where('environment_id', '=', environment_id ?? ''))
    .orderBy('status')
    .orderBy('id')
    .limit(2 * LIMITS.credentials.perOrganizationMax)
    .execute()) as StoredCredential[];

export const insertCredential = async (tx: TenantTransaction, row: Insertable<Tables['credentials']>): Promise<StoredCredential> =>
  (await tx.insertInto('credentials').values(row).returning(TOLD).executeTakeFirstOrThrow()) as StoredCredential;

export const findCredential = async (tx: TenantTransaction, { organization_id, id }: Key): Promise<StoredCredential | undefined> =>
  (await tx
    .selectFrom('credentials')
    .select(TOLD)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .executeTakeFirst()) as StoredCredential | undefined;

/** With what is sealed of it. */
export type LockedCredential = StoredCredential & {
  readonly sealed_secret: Buffer | null;
  readonly sealed_previous_secret: Buffer | null;
};

/** The same, locked until the transaction ends, with its sealed secrets. */
export const lockCredential = async (tx: TenantTransaction, { organization_id, id }: Key): Promise<LockedCredential | undefined> =>
  (await tx
    .selectFrom('credentials')
    .select([...TOLD, 'sealed_secret', 'sealed_previous_secret'])
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()) as LockedCredential | undefined;

export const updateCredential = async (
  tx: TenantTransaction,
  { organization_id, id }: Key,
  row: Updateable<Tables['credentials']>,
): Promise<StoredCredential> =>
  (await tx
    .updateTable('credentials')
    .set(row)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .returning(TOLD)
    .executeTakeFirstOrThrow()) as StoredCredential;
