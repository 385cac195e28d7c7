import type { OauthState, StoredOauth } from '@svc/contract/credentials/oauth.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { CredentialTerms } from '@svc/domain/credentials/credential-terms.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { OF_BEFORE } from './credential-tokens.ts';
import { MOVED_ACCESS } from './moved-access.ts';

const { oauth } = LIMITS;

type Key = { readonly organization_id: string; readonly credential_id: string };

/** Tokens of a credential with everything by which they are refreshed, all of it sealed as it is stored. */
export type TokenRow = Key &
  CredentialTerms & {
    readonly name: string;
    readonly oauth: StoredOauth;
    readonly generation: number;
    readonly sealed_secret: Buffer;
    readonly wrapped_key: Buffer;
    readonly state: OauthState;
    readonly version: number;
    readonly sealed_refresh_token: Buffer | null;
    readonly sealed_access_token: Buffer | null;
    readonly access_ends_at: string | null;
    readonly sealed_previous_access_token: Buffer | null;
    readonly previous_access_version: number | null;
    readonly previous_access_ends_at: string | null;
    readonly leased_until: string | null;
    readonly lease_began_at: string | null;
    readonly failures: number;
    readonly retry_at: string | null;
  };

const COLUMNS =
  sql.raw(`t.organization_id, t.credential_id, c.workspace_id, c.environment_id, c.name, c.scheme, c.placement, c.extras, c.destinations, c.tools, c.servers, c.oauth,
  c.generation, c.sealed_secret,
  k.wrapped_key, t.state, t.version, t.sealed_refresh_token, t.sealed_access_token, t.access_ends_at,
  t.sealed_previous_access_token, t.previous_access_version, t.previous_access_ends_at, t.leased_until, t.lease_began_at, t.failures, t.retry_at`);

const ofThis = ({ organization_id, credential_id }: Key): RawBuilder<unknown> => sql`
  c.organization_id = t.organization_id and c.id = t.credential_id and k.organization_id = t.organization_id
  and t.organization_id = ${organization_id} and t.credential_id = ${credential_id} and c.sealed_secret is not null and c.oauth is not null`;

/** Undefined if there is none, or the credential is revoked. */
export const readTokens = async (tx: TenantTransaction, key: Key): Promise<TokenRow | undefined> => {
  const { rows } = await sql<TokenRow>`select ${COLUMNS} from credential_tokens t, credentials c, data_keys k where ${ofThis(key)}`.execute(
    tx,
  );
  return rows[0];
};

export type RefreshLease = { readonly lease_id: string; readonly version: number; readonly now: Date };

const later = (now: Date, ms: number): Date => new Date(now.getTime() + ms);

/**
 * Returns true if a period with an end, of a maximum length, has ended. An end further ahead was written by a wrong clock that has been
 * corrected since: it does not count.
 */
const isOver = (until: RawBuilder<unknown>, now: Date, mostMs: number): RawBuilder<unknown> =>
  sql`(${until} is null or ${until} <= ${now} or ${until} > ${later(now, mostMs + oauth.clocksDifferMs)})`;
const leaseIsOver = (now: Date): RawBuilder<unknown> => isOver(sql.ref('leased_until'), now, oauth.leaseMs);
const restIsOver = (now: Date): RawBuilder<unknown> => isOver(sql.ref('retry_at'), now, oauth.backoffMsMax);

const isFree = async (tx: TenantTransaction, { organization_id, credential_id }: Key, { version, now }: RefreshLease): Promise<boolean> => {
  const { rows } = await sql`
    select from credential_tokens
     where organization_id = ${organization_id} and credential_id = ${credential_id} and version = ${version}
       and ${leaseIsOver(now)}`.execute(tx);
  return rows.length > 0;
};

/**
 * Leases the refresh of a credential, if the tokens still have that version, no one has the lease, the last refresh is long enough ago, and
 * the
 * organization is within its rate limit. One of concurrent callers gets it, with the current refresh token.
 * `taken`: another has the lease or just had it. `bounded`: no one has it, and a rate limit applies.
 */
export const takeLease = async (tx: TenantTransaction, key: Key, lease: RefreshLease): Promise<TokenRow | 'taken' | 'bounded'> => {
  const { lease_id, version, now } = lease;
  const { organization_id } = key;
  await sql`select pg_advisory_xact_lock(hashtextextended('svc refreshes ' || ${organization_id}, 0))`.execute(tx);
  const { rows } = await sql<TokenRow>`
    update credential_tokens t set lease_id = ${lease_id}, leased_until = ${later(now, oauth.leaseMs)}, lease_began_at = ${now}
      from credentials c, data_keys k
     where ${ofThis(key)} and t.version = ${version} and t.state = 'CONNECTED'
       and ${leaseIsOver(now)} and ${restIsOver(now)}
       and (t.lease_began_at is null or t.lease_began_at <= ${later(now, -oauth.spacingMs)} or t.lease_began_at > ${later(now, oauth.spacingMs)})
       and (select count(*) from credential_tokens o where o.organization_id = ${organization_id}
             and o.lease_began_at > ${later(now, -60_000)} and o.lease_began_at <= ${later(now, oauth.clocksDifferMs)}) < ${oauth.perMinuteMax}
    returning ${COLUMNS}`.execute(tx);
  return rows[0] ?? ((await isFree(tx, key, lease)) ? 'bounded' : 'taken');
};

const movesAccess = sql.join(Object.entries(MOVED_ACCESS).map(([name, value]) => sql`${sql.ref(name)} = ${value}`));

export type Refreshed = {
  readonly sealed_refresh_token: Buffer | null;
  readonly sealed_access_token: Buffer;
  readonly access_ends_at: Date;
  readonly granted_scope: string | null;
};

/**
 * Stores the tokens of a token endpoint, both in one statement; returns false if others are stored already. An expired lease does not
 * matter: its next holder has stored nothing, and this refresh token may be the only valid one.
 */
export const storeRefreshed = async (tx: TenantTransaction, key: Key, version: number, tokens: Refreshed, now: Date): Promise<boolean> => {
  const { rows } = await sql`
    update credential_tokens
       set ${movesAccess}, version = version + 1, state = 'CONNECTED', sealed_refresh_token = ${tokens.sealed_refresh_token},
           sealed_access_token = ${tokens.sealed_access_token}, access_ends_at = ${tokens.access_ends_at},
           granted_scope = coalesce(${tokens.granted_scope}::text, granted_scope), refreshed_at = ${now}, lease_id = null, leased_until = null,
           failures = 0, failure = null, retry_at = null
     where organization_id = ${key.organization_id} and credential_id = ${key.credential_id} and version = ${version}
    returning 1`.execute(tx);
  return rows.length > 0;
};

export type FailedRefresh = {
  readonly lease_id: string;
  readonly version: number;
  /** A word for why. */
  readonly failure: string;
  /** Null for no retry: the refresh token is rejected. */
  readonly retry_at: Date | null;
};

/**
 * Records a failure of the current lease, and releases it: returns the number of consecutive failures, or undefined if the lease is lost.
 * One
 * from before a rotation is only released, since it says nothing about the current secret.
 */
export const storeFailure = async (tx: TenantTransaction, key: Key, failed: FailedRefresh): Promise<number | undefined> => {
  const { lease_id, version, failure, retry_at } = failed;
  const here = sql`organization_id = ${key.organization_id} and credential_id = ${key.credential_id} and version = ${version}`;
  const { rows } = await sql<{ failures: number }>`
    update credential_tokens
       set failures = failures + 1, failure = ${failure}, retry_at = ${retry_at}, lease_id = null, leased_until = null,
           state = case when ${retry_at === null}::boolean then 'ERROR' else state end
     where ${here} and lease_id = ${lease_id}
    returning failures`.execute(tx);
  if (rows[0] === undefined)
    await sql`update credential_tokens set lease_id = null, leased_until = null
               where ${here} and starts_with(lease_id, ${lease_id + OF_BEFORE})`.execute(tx);
  return rows[0]?.failures;
};

export type DueRefresh = Key & { readonly version: number };

/** Maximum number over all organizations, and per organization. */
export type DueMost = { readonly countMax: number; readonly ofOneMax: number };

/**
 * Finds credentials whose refresh no caller waits for: one whose process died, one due for a retry, one whose
 * refresh token has not been used for long. Those of dead processes come first, since a server accepts the previous refresh token for a
 * short
 * time only; bounded per organization, the longest due first, so that hanging servers of one do not delay others.
 */
export const findDueRefreshes = async (identity: Database, now: Date, { countMax, ofOneMax }: DueMost): Promise<DueRefresh[]> => {
  const { rows } = await sql<DueRefresh>`
    select organization_id, credential_id, version
      from (select organization_id, credential_id, version, leased_until, coalesce(leased_until, retry_at, refreshed_at) as since,
                   row_number() over (partition by organization_id
                     order by leased_until is null, coalesce(leased_until, retry_at, refreshed_at), credential_id) as place
              from credential_tokens
             where state = 'CONNECTED' and ${leaseIsOver(now)}
               and (leased_until is not null or (failures > 0 and retry_at is not null and ${restIsOver(now)})
                    or (failures = 0 and refreshed_at <= ${later(now, -oauth.idleMs)}))) due
     where place <= ${ofOneMax}
     order by leased_until is null, place, since, credential_id limit ${countMax}`.execute(identity);
  return rows;
};
