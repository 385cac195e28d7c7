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
