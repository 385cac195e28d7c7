import { type Insertable, type Selectable, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';
import { MOVED_ACCESS } from './moved-access.ts';

type Row = Tables['credential_tokens'];

const TOLD = [
  ...(['credential_id', 'state', 'failure', 'failures', 'retry_at', 'granted_scope', 'connected_by', 'connected_at'] as const),
  ...(['refreshed_at', 'access_ends_at'] as const),
] as const;

/** The state of a credential's tokens, without them. */
export type TokenStanding = Pick<Selectable<Row>, (typeof TOLD)[number]>;

export const insertTokens = async (tx: TenantTransaction, row: Insertable<Row>): Promise<void> => {
  await tx.insertInto('credential_tokens').values(row).execute();
};

/** Keyed by credential, for those that have tokens. */
export const readStandings = async (
  tx: TenantTransaction,
  organizationId: string,
  credentialIds: readonly string[],
): Promise<ReadonlyMap<string, TokenStanding>> => {
  if (credentialIds.length === 0) return new Map();
  const rows = await tx
    .selectFrom('credential_tokens')
    .select(TOLD)
    .where('organization_id', '=', organizationId)
    .where('credential_id', 'in', [...credentialIds])
    .execute();
  return new Map(rows.map((row) => [row.credential_id, row]));
};

type Key = { readonly organization_id: string; readonly credential_id: string };

/** Locks the version of its tokens until the transaction ends: a refresh in progress then stores for an outdated version. */
export const lockTokens = async (tx: TenantTransaction, { organization_id, credential_id }: Key): Promise<number | undefined> =>
  (
    await tx
      .selectFrom('credential_tokens')
      .select('version')
      .where('organization_id', '=', organization_id)
      .where('credential_id', '=', credential_id)
      .forUpdate()
      .executeTakeFirst()
  )?.version;

/** Tokens that did not come from a refresh. Without `access` none is stored. */
export type Replaced = {
  readonly version: number;
  readonly sealed_refresh_token: Buffer;
  readonly by: string;
  readonly access?: { readonly sealed: Buffer; readonly endsAt: Date; readonly scope: string | null } | undefined;
};

const NO_FAILURES = { failures: 0, failure: null, retry_at: null, lease_id: null, leased_until: null, lease_began_at: null };

/** Clears recorded failures. */
export const replaceTokens = async (
  tx: TenantTransaction,
  { organization_id, credential_id }: Key,
  { version, sealed_refresh_token, by, access }: Replaced,
  now: Date,
): Promise<void> => {
  await tx
    .updateTable('credential_tokens')
    .set({
      ...NO_FAILURES,
      ...MOVED_ACCESS,
      ...{ version, sealed_refresh_token, connected_by: by, connected_at: now, state: 'CONNECTED' },
      sealed_access_token: access?.sealed ?? null,
      access_ends_at: access?.endsAt ?? null,
      ...(access ? { granted_scope: access.scope, refreshed_at: now } : {}),
    })
    .where('organization_id', '=', organization_id)
    .where('credential_id', '=', credential_id)
    .execute();
};

/** Suffix of the lease of a refresh with the secret before a rotation. */
export const OF_BEFORE = ' of before';

/**
 * Allows a refresh at once, with the client's new secret; a failure is cleared if the client has no other.
 * One in progress can only fail itself. It is still awaited: a server treats a refresh token that is sent twice
 * at once as stolen.
 */
export const forgetFailures = async (tx: TenantTransaction, { organization_id, credential_id }: Key): Promise<void> => {
  await tx
    .updateTable('credential_tokens')
    .set({
      ...{ failures: 0, failure: null, retry_at: null, lease_began_at: null },
      lease_id: sql`lease_id || ${OF_BEFORE}`,
      state: sql`case when state = 'ERROR' and sealed_refresh_token is null then 'CONNECTED' else state end`,
    })
    .where('organization_id', '=', organization_id)
    .where('credential_id', '=', credential_id)
    .execute();
};

/** Erases the tokens of a revoked credential. */
export const eraseTokens = async (tx: TenantTransaction, { organization_id, credential_id }: Key): Promise<void> => {
  await sql`
    update credential_tokens
       set state = 'UNCONNECTED', version = version + 1, sealed_refresh_token = null, sealed_access_token = null, access_ends_at = null,
           sealed_previous_access_token = null, previous_access_version = null, previous_access_ends_at = null, lease_id = null, leased_until = null, retry_at = null
     where organization_id = ${organization_id} and credential_id = ${credential_id}`.execute(tx);
  await sql`delete from credential_attempts where organization_id = ${organization_id} and credential_id = ${credential_id}`.execute(tx);
};
