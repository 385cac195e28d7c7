import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import { type Batcher, newBatcher } from '../../recorder/batcher.ts';

export type CallerRow = {
  readonly kind: 'USER' | 'API_KEY';
  readonly credential_id: string;
  readonly principal_id: string;
  readonly principal_name: string;
  readonly email: string | null;
  readonly organization_id: string;
  readonly organization_name: string;
  readonly role_id: string;
  readonly workspace_id: string | null;
  readonly expires_at: string;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
  readonly stepped_up_until: string | null;
};

type Found = CallerRow & { readonly n: number };

/** The people behind the hashes of session tokens; a person who left the organization has none. */
const readSessions = (identity: Database, tokenHashes: readonly Buffer[]) =>
  sql<Found>`
    select q.n::int as n, 'USER' as kind, s.id as credential_id, u.id as principal_id, u.name as principal_name, u.email, s.organization_id,
           o.name as organization_name, m.role_id, null as workspace_id, s.expires_at, s.last_used_at, s.revoked_at, s.stepped_up_until
      from unnest(${tokenHashes}::bytea[]) with ordinality as q (token_hash, n)
      join sessions s on s.token_hash = q.token_hash
      join users u on u.id = s.user_id
      join members m on m.organization_id = s.organization_id and m.user_id = s.user_id
      join organizations o on o.id = s.organization_id`.execute(identity);

const readApiKeys = (identity: Database, tokenHashes: readonly Buffer[]) =>
  sql<Found>`
    select q.n::int as n, 'API_KEY' as kind, k.id as credential_id, k.id as principal_id, k.name as principal_name, null as email,
           k.organization_id, o.name as organization_name, k.role_id, k.workspace_id, k.expires_at, k.last_used_at, k.revoked_at,
           null as stepped_up_until
      from unnest(${tokenHashes}::bytea[]) with ordinality as q (token_hash, n)
      join api_keys k on k.token_hash = q.token_hash
      join organizations o on o.id = k.organization_id`.execute(identity);

type Lookup = Batcher<Buffer, CallerRow | undefined>;

const TOGETHER = { rowsMax: 256, inFlightMax: 2, queueMax: 4_096, ownBatchRows: 16 };

const lookup = (read: (tokenHashes: readonly Buffer[]) => Promise<{ readonly rows: readonly Found[] }>): Lookup =>
  newBatcher({
    ...TOGETHER,
    run: async (tokenHashes) => {
      const { rows } = await read(tokenHashes);
      const found: (CallerRow | undefined)[] = Array.from(tokenHashes, () => undefined);
      for (const { n, ...row } of rows) found[n - 1] = row;
      return found;
    },
  });

type Lookups = { readonly sessions: Lookup; readonly apiKeys: Lookup };
const lookups = new WeakMap<Database, Lookups>();

/** Credentials are asked for at each request and never remembered, so that a revoked one is refused at the next; those of one moment together. */
const lookupsOf = (identity: Database): Lookups => {
  const known = lookups.get(identity);
  if (known !== undefined) return known;
  const made: Lookups = {
    sessions: lookup((tokenHashes) => readSessions(identity, tokenHashes)),
    apiKeys: lookup((tokenHashes) => readApiKeys(identity, tokenHashes)),
  };
  lookups.set(identity, made);
  return made;
};

/** The person behind a session token's hash. */
export const findSession = (identity: Database, tokenHash: Buffer): Promise<CallerRow | undefined> =>
  lookupsOf(identity).sessions.add(tokenHash);

/** The API key behind a token's hash. */
export const findApiKey = (identity: Database, tokenHash: Buffer): Promise<CallerRow | undefined> =>
  lookupsOf(identity).apiKeys.add(tokenHash);

/** Notes that a credential was used just now, unless a use was noted since `notedSince` already. */
export const noteUse = async (
  identity: Database,
  { kind, credential_id, organization_id }: Pick<CallerRow, 'kind' | 'credential_id' | 'organization_id'>,
  now: Date,
  notedSince: Date,
): Promise<void> => {
  await identity
    .updateTable(kind === 'USER' ? 'sessions' : 'api_keys')
    .set({ last_used_at: now })
    .where('organization_id', '=', organization_id)
    .where('id', '=', credential_id)
    .where('revoked_at', 'is', null)
    .where((each) => each.or([each('last_used_at', 'is', null), each('last_used_at', '<', notedSince.toISOString())]))
    .execute();
};

/**
 * The whole scope that headers name, or undefined when it does not lie in the organization and in the workspace a caller is limited to.
 * An environment lies in its workspace, so whoever names only the environment is narrowed to both.
 */
export const findScope = async (
  identity: Database,
  organizationId: string,
  named: { readonly workspaceId: string | null; readonly environmentId: string | null },
): Promise<{ readonly workspace_id: string; readonly environment_id: string | null } | undefined> => {
  const { workspaceId, environmentId } = named;
  const { rows } =
    environmentId === null
      ? await sql<{ workspace_id: string; environment_id: null }>`
          select id as workspace_id, null as environment_id from workspaces where organization_id = ${organizationId} and id = ${workspaceId}`.execute(
          identity,
        )
      : await sql<{ workspace_id: string; environment_id: string }>`
          select workspace_id, id as environment_id from environments
           where organization_id = ${organizationId} and id = ${environmentId}
             and (${workspaceId}::text is null or workspace_id = ${workspaceId})`.execute(identity);
  return rows[0];
};
