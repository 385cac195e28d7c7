import { buildId } from '@svc/contract/tables/ids.ts';
import type { FreshDatabase } from '../database/database.ts';
import { newUlid } from './new-ulid.ts';

/** Inserts a connection to an unreachable provider, a person's identity in it, a directory's data about them, and a group. */
export const insertSso = async (
  database: FreshDatabase,
  organizationId: string,
  userId: string,
): Promise<{
  readonly connectionId: string;
  readonly identityId: string;
  readonly directoryUserId: string;
  readonly directoryGroupId: string;
}> => {
  const [connectionId, identityId] = [buildId('sso_connection', newUlid()), buildId('sso_identity', newUlid())];
  const client = await database.client();
  await client.query(
    `insert into sso_connections (organization_id, id, kind, name, issuer, client_id, scopes, jit, role_mapping, trusts_mfa, created_by)
     values ($1, $2, 'OIDC', $2, 'http://127.0.0.1:9', 'the-service', array['openid'], false, '[]', false, $3)`,
    [organizationId, connectionId, userId],
  );
  await client.query('insert into sso_identities (organization_id, id, connection_id, subject, user_id) values ($1, $2, $3, $2, $4)', [
    organizationId,
    identityId,
    connectionId,
    userId,
  ]);
  const [directoryUserId, directoryGroupId] = [buildId('member', newUlid()), buildId('directory_group', newUlid())];
  await client.query(
    `insert into scim_users (organization_id, id, user_id, user_name, email, made_user) values ($1, $2, $3, $2, $2, false)
     on conflict do nothing`,
    [organizationId, directoryUserId, userId],
  );
  await client.query('insert into scim_groups (organization_id, id, display_name) values ($1, $2, $2)', [organizationId, directoryGroupId]);
  await client.end();
  return { connectionId, identityId, directoryUserId, directoryGroupId };
};
