import { sql } from 'kysely';
import type { Database } from './connect.ts';

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

/** Uses are noted at most this often, so that reading does not turn into writing. */
const NOTE_USE_EVERY_SECONDS = 30;

/** The person behind a session token's hash; a person who left the organization has none. */
export const findSession = async (
  identity: Database,
  tokenHash: Buffer,
  now: Date,
  idleTimeoutSeconds: number,
): Promise<CallerRow | undefined> => {
  const { rows } = await sql<CallerRow>`
    with noted as (
      update sessions set last_used_at = ${now}
       where token_hash = ${tokenHash} and revoked_at is null
         and last_used_at < ${now}::timestamptz - make_interval(secs => ${NOTE_USE_EVERY_SECONDS})
         and last_used_at > ${now}::timestamptz - make_interval(secs => ${idleTimeoutSeconds}) and expires_at > ${now}
    )
    select 'USER' as kind, s.id as credential_id, u.id as principal_id, u.name as principal_name, u.email, s.organization_id,
           o.name as organization_name, m.role_id, null as workspace_id, s.expires_at, s.last_used_at, s.revoked_at, s.stepped_up_until
      from sessions s
      join users u on u.id = s.user_id
      join members m on m.organization_id = s.organization_id and m.user_id = s.user_id
      join organizations o on o.id = s.organization_id
     where s.token_hash = ${tokenHash}`.execute(identity);
  return rows[0];
};

/** The API key behind a token's hash. */
export const findApiKey = async (identity: Database, tokenHash: Buffer, now: Date): Promise<CallerRow | undefined> => {
  const { rows } = await sql<CallerRow>`
    with noted as (
      update api_keys set last_used_at = ${now}
       where token_hash = ${tokenHash} and revoked_at is null
         and (last_used_at is null or last_used_at < ${now}::timestamptz - make_interval(secs => ${NOTE_USE_EVERY_SECONDS}))
    )
    select 'API_KEY' as kind, k.id as credential_id, k.id as principal_id, k.name as principal_name, null as email, k.organization_id,
           o.name as organization_name, k.role_id, k.workspace_id, k.expires_at, k.last_used_at, k.revoked_at, null as stepped_up_until
      from api_keys k
      join organizations o on o.id = k.organization_id
     where k.token_hash = ${tokenHash}`.execute(identity);
  return rows[0];
};

/** Whether a scope named by a header lies in the organization, and in the workspace a key is limited to. */
export const scopeExists = async (
  identity: Database,
  organizationId: string,
  scope: { readonly workspaceId: string | null; readonly environmentId: string | null },
): Promise<boolean> => {
  const { rows } = await sql<{ there: boolean }>`
    select (${scope.workspaceId}::text is null
            or exists (select from workspaces w where w.organization_id = ${organizationId} and w.id = ${scope.workspaceId}))
       and (${scope.environmentId}::text is null
            or exists (select from environments e where e.organization_id = ${organizationId} and e.id = ${scope.environmentId}
                          and (${scope.workspaceId}::text is null or e.workspace_id = ${scope.workspaceId}))) as there`.execute(identity);
  return rows[0]?.there ?? false;
};
