import { builtInRole } from '@svc/contract/tables/built-in-roles.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { roleOf } from '../auth/member-rights.ts';

export type GroupRole = { readonly group: string; readonly role_id: string };
export type ScimSettings = {
  readonly token_created_at: string | null;
  /** Without whom it opens nothing. */
  readonly token_created_by: string | null;
  /** Whether it opens anything now. */
  readonly token_opens: boolean;
  readonly default_role_id: string;
  readonly group_roles: readonly GroupRole[];
};

const NOTHING_SET: ScimSettings = {
  token_created_at: null,
  token_created_by: null,
  token_opens: false,
  default_role_id: builtInRole('viewer').id,
  group_roles: [],
};

/** The maker `m` of the token of settings `s`, in their role `r`; not once they see a part alone, and not who came back after they were gone. */
const MAKER = sql`left join members m on m.organization_id = s.organization_id and m.user_id = s.token_created_by and not m.is_limited
    and m.created_at <= s.token_created_at
  ${roleOf('m')}`;

/** Whoever has the token gives the roles that groups stand for: so it opens while its maker holds them all, as when it was made. */
const OPENS = sql<boolean>`coalesce(s.token_hash is not null and 'sso:update' = any (r.permissions) and not exists (
  select from roles g where (g.organization_id is null or g.organization_id = s.organization_id) and not g.permissions <@ r.permissions
     and (g.id = s.default_role_id or s.group_roles @> jsonb_build_array(jsonb_build_object('role_id', g.id)))), false)`;

/** Read by whoever sees the whole organization. */
export const readScimSettings = async (tx: TenantTransaction, organizationId: string): Promise<ScimSettings> => {
  const { rows } = await sql<ScimSettings>`
    select s.token_created_at, s.token_created_by, s.default_role_id, s.group_roles, ${OPENS} as token_opens
      from scim_settings s ${MAKER} where s.organization_id = ${organizationId}`.execute(tx);
  return rows[0] ?? NOTHING_SET;
};

/** The one token there is, by its hash and whoever made it; or null for none. */
export const setScimToken = async (
  tx: TenantTransaction,
  organizationId: string,
  made: { readonly hash: Buffer; readonly by: string } | null,
  now: Date,
): Promise<void> => {
  const token = { token_hash: made?.hash ?? null, token_created_at: made && now, token_created_by: made?.by ?? null, updated_at: now };
  await tx
    .insertInto('scim_settings')
    .values({ organization_id: organizationId, default_role_id: NOTHING_SET.default_role_id, ...token })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(token))
    .execute();
};

/** Ends the token of the organization if it is one that this person made; whether it was. */
export const endScimTokenOf = async (tx: TenantTransaction, organizationId: string, userId: string, now: Date): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('scim_settings')
    .set({ token_hash: null, token_created_at: null, token_created_by: null, updated_at: now })
    .where('organization_id', '=', organizationId)
    .where('token_created_by', '=', userId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

export const setScimRoles = async (
  tx: TenantTransaction,
  organizationId: string,
  { default_role_id, group_roles }: Pick<ScimSettings, 'default_role_id' | 'group_roles'>,
  now: Date,
): Promise<void> => {
  const roles = { default_role_id, group_roles: JSON.stringify(group_roles), updated_at: now };
  await tx
    .insertInto('scim_settings')
    .values({ organization_id: organizationId, ...roles })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(roles))
    .execute();
};

/** Whose directory a token is of, who made it, whether it opens anything now, and from which networks the organization is called. */
export type Directory = {
  readonly organization_id: string;
  readonly made_by: string;
  readonly opens: boolean;
  readonly networks: readonly string[];
};

/**
 * Whose directory a token is of; nobody's while the organization waits for its deletion. It opens nothing once whoever made it may not make
 * one any more: they are gone, lost `sso:update` or a permission of a role that it gives, or see a part of the organization alone.
 */
export const findDirectory = async (identity: Database, tokenHash: Buffer): Promise<Directory | undefined> => {
  const { rows } = await sql<Directory>`
    select s.organization_id, s.token_created_by as made_by, ${OPENS} as opens, o.allowed_networks as networks
      from scim_settings s join organizations o on o.id = s.organization_id and o.deletes_at is null ${MAKER}
     where s.token_hash = ${tokenHash}`.execute(identity);
  return rows[0];
};

/** Who has an address, in whatever organizations; null where nobody does. */
export const findUserByAddress = async (identity: Database, email: string): Promise<string | null> => {
  const { rows } = await sql<{ id: string }>`select id from users where email = ${email}`.execute(identity);
  return rows[0]?.id ?? null;
};
