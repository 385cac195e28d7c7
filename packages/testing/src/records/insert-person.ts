import { type BuiltInRoleName, getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { buildId, SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { hashSecret, newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import type pg from 'pg';
import { newUlid } from './new-ulid.ts';

export type InsertedPerson = { readonly id: string; readonly name: string; readonly token: string };

type NewMember = {
  readonly organizationId: string;
  readonly userId: string;
  readonly roleId: string;
  readonly workspaces?: readonly string[];
};

/** Adds a person to another organization. */
export const insertMember = async (client: pg.Client, { organizationId, userId, roleId, workspaces }: NewMember): Promise<string> => {
  const id = buildId('member', newUlid());
  await client.query('insert into members (organization_id, id, user_id, role_id, is_limited) values ($1, $2, $3, $4, $5)', [
    organizationId,
    id,
    userId,
    roleId,
    workspaces !== undefined,
  ]);
  await client.query('insert into member_workspaces (organization_id, member_id, workspace_id) select $1, $2, unnest($3::text[])', [
    organizationId,
    id,
    workspaces ?? [],
  ]);
  return id;
};

/**
 * Inserts another person of an organization, signed in. The person has no password and so cannot step up. Limited to `workspaces` if given.
 */
export const insertPerson = async (
  client: pg.Client,
  organizationId: string,
  role: BuiltInRoleName | { readonly id: string },
  options: { readonly steppedUp?: boolean; readonly workspaces?: readonly string[] } = {},
): Promise<InsertedPerson> => {
  const id = buildId('user', newUlid());
  const token = newSecretToken(SECRET_PREFIXES.session);
  const name = `Person ${id.slice(-4)}`;
  const roleId = typeof role === 'string' ? getBuiltInRole(role).id : role.id;
  await client.query("insert into users (id, email, name, password_hash, email_verified_at) values ($1, $2, $3, 'none', now())", [
    id,
    `${id.toLowerCase()}@example.com`,
    name,
  ]);
  await insertMember(client, { organizationId, userId: id, roleId, ...options });
  await client.query(
    `insert into sessions (organization_id, id, user_id, token_hash, expires_at, stepped_up_until)
     values ($1, $2, $3, $4, now() + interval '1 hour', case when $5 then now() + interval '5 minutes' end)`,
    [organizationId, buildId('session', newUlid()), id, hashSecret(token), options.steppedUp ?? false],
  );
  return { id, name, token };
};
