import type { ApiKey } from '@svc/contract/people/api-keys.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { toWorkspacesView } from '@svc/domain/people/auth/workspaces-view.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';

const COLUMNS = [
  'id',
  'name',
  'role_id',
  'workspace_ids',
  'allowed_networks',
  'created_by',
  'created_at',
  'expires_at',
  'last_used_at',
  'last_used_from',
  'previous_ends_at as overlap_ends_at',
  'revoked_at',
] as const;

type Row = Omit<ApiKey, 'workspace_id' | 'workspace_ids'> & { readonly workspace_ids: string[] | null };

const told = ({ workspace_ids, ...row }: Row): ApiKey => ({ ...row, ...toWorkspacesView(workspace_ids) });

const IS_LIVE = sql<boolean>`revoked_at is null and expires_at > now()`;

/** Lists all usable keys, and the newest of the ended ones: a response is not paged. */
export const listApiKeys = async (tx: TenantTransaction, organizationId: string): Promise<ApiKey[]> => {
  const { perOrganizationMax, endedShownMax } = LIMITS.apiKeys;
  const ofOrganization = tx.selectFrom('api_keys').select(COLUMNS).where('organization_id', '=', organizationId);
  // Twice as many, since those from before there was a limit are included.
  const live = await ofOrganization
    .where(IS_LIVE)
    .orderBy('id', 'desc')
    .limit(2 * perOrganizationMax)
    .execute();
  const ended = await ofOrganization.where(sql<boolean>`not (${IS_LIVE})`).orderBy('id', 'desc').limit(endedShownMax).execute();
  return [...live, ...ended].sort((one, other) => (one.id < other.id ? 1 : -1)).map(told);
};

export const countLiveApiKeys = async (tx: TenantTransaction, organizationId: string): Promise<number> => {
  const { count } = await tx
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where(IS_LIVE)
    .executeTakeFirstOrThrow();
  return Number(count);
};

export type NewApiKey = {
  readonly organization_id: string;
  readonly id: string;
  readonly workspace_ids: string[] | null;
  readonly allowed_networks: string[];
  readonly name: string;
  readonly role_id: string;
  readonly token_hash: Buffer;
  readonly created_by: string;
  readonly expires_at: Date;
  readonly now: Date;
};

export const insertApiKey = async (tx: TenantTransaction, { now, ...row }: NewApiKey): Promise<ApiKey> =>
  told(
    await tx
      .insertInto('api_keys')
      .values({ ...row, created_at: now })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow(),
  );

export const lockApiKey = async (tx: TenantTransaction, organizationId: string, id: string): Promise<ApiKey | undefined> => {
  const row = await tx
    .selectFrom('api_keys')
    .select(COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row && told(row);
};

type Rotated = {
  readonly tokenHash: Buffer;
  /** The end of the previous secret; null if it ends at once. */
  readonly previousEndsAt: Date | null;
  readonly expiresAt: Date | undefined;
};

/** Replaces the current secret. The previous one, if any, ends. A new expiry gets a new notice. */
export const rotateApiKey = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  { tokenHash, previousEndsAt, expiresAt }: Rotated,
): Promise<ApiKey> =>
  told(
    await tx
      .updateTable('api_keys')
      .set((eb) => ({
        token_hash: tokenHash,
        previous_token_hash: previousEndsAt === null ? null : eb.ref('token_hash'),
        previous_ends_at: previousEndsAt,
        ...(expiresAt === undefined ? {} : { expires_at: expiresAt, warned_at: null }),
      }))
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .returning(COLUMNS)
      .executeTakeFirstOrThrow(),
  );

export const endPreviousSecret = async (tx: TenantTransaction, organizationId: string, id: string): Promise<ApiKey> =>
  told(
    await tx
      .updateTable('api_keys')
      .set({ previous_token_hash: null, previous_ends_at: null })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .returning(COLUMNS)
      .executeTakeFirstOrThrow(),
  );

/** Returns true if a principal is the key itself, created it, or created a key in its chain: it loses what they lose. */
export const isBehindKey = async (tx: TenantTransaction, organizationId: string, id: string, actorId: string): Promise<boolean> => {
  const { rows } = await sql`
    with recursive makers as (
      select ${id}::text as id
       union
      select k.created_by from makers m join api_keys k on k.organization_id = ${organizationId} and k.id = m.id)
    select from makers where id = ${actorId}`.execute(tx);
  return rows.length > 0;
};

/** Returns the earliest end of a key and the keys in its chain; null for a person, or a missing key. */
export const findFirstEnd = async (tx: TenantTransaction, organizationId: string, id: string): Promise<Date | null> => {
  const { rows } = await sql<{ readonly first_end: string | null }>`
    with recursive makers as (
      select k.id, k.created_by, k.expires_at from api_keys k where k.organization_id = ${organizationId} and k.id = ${id}
       union
      select k.id, k.created_by, k.expires_at from makers m join api_keys k on k.organization_id = ${organizationId} and k.id = m.created_by)
    select min(expires_at) as first_end from makers`.execute(tx);
  const first = rows[0]?.first_end ?? null;
  return first === null ? null : new Date(first);
};

export const revokeApiKey = async (tx: TenantTransaction, organizationId: string, id: string, now: Date): Promise<ApiKey> =>
  told(
    await tx
      .updateTable('api_keys')
      .set({ revoked_at: now })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .returning(COLUMNS)
      .executeTakeFirstOrThrow(),
  );
