import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { readMemberRole } from '../auth/member-rights.ts';

export type GroupRole = { readonly group: string; readonly role_id: string };
export type ScimSettings = {
  readonly token_created_at: string | null;
  /** Without whom it opens nothing. */
  readonly token_created_by: string | null;
  /** True if it is currently valid. */
  readonly token_opens: boolean;
  readonly default_role_id: string;
  readonly group_roles: readonly GroupRole[];
};

const NOTHING_SET: ScimSettings = {
  token_created_at: null,
  token_created_by: null,
  token_opens: false,
  default_role_id: getBuiltInRole('viewer').id,
  group_roles: [],
};

/** Joins the creator `m` of the token of settings `s`, in their role `r`; invalid if limited to a part, or if they left and rejoined. */
const MAKER = sql`left join members m on m.organization_id = s.organization_id and m.user_id = s.token_created_by and not m.is_limited
    and m.created_at <= s.token_created_at
  ${readMemberRole('m')}`;

/** A holder of the token assigns the roles of groups: so it is valid while its creator holds them all, as at its creation. */
const OPENS = sql<boolean>`coalesce(s.token_hash is not null and 'sso:update' = any (r.permissions) and not exists (
  select from roles g where (g.organization_id is null or g.organization_id = s.organization_id) and not g.permissions <@ r.permissions
     and (g.id = s.default_role_id or s.group_roles @> jsonb_build_array(jsonb_build_object('role_id', g.id)))), false)`;

/** Only for readers with access to the whole organization. */
export const readScimSettings = async (tx: TenantTransaction, organizationId: string): Promise<ScimSettings> => {
  const { rows } = await sql<ScimSettings>`
    select s.token_created_at, s.token_created_by, s.default_role_id, s.group_roles, ${OPENS} as token_opens
      from scim_settings s ${MAKER} where s.organization_id = ${organizationId}`.execute(tx);
  return rows[0] ?? NOTHING_SET;
};

/** Sets the only token, by its hash and creator; or null for none. */
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

/** Ends the token of the organization if this person created it; returns true if so. */
export const endCreatorScimToken = async (tx: TenantTransaction, organizationId: string, userId: string, now: Date): Promise<boolean> => {
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

/** The organization of a token, its creator, if it is valid now, and the allowed networks. */
export type ScimDirectory = {
  readonly organization_id: string;
  readonly made_by: string;
  readonly opens: boolean;
  readonly networks: readonly string[];
};

/**
 * Returns the organization of a token; none while its deletion is pending. It is invalid once its creator may not create
 * one any more: they left, lost `sso:update` or a permission of a role that it assigns, or are limited to a part of the organization.
 */
export const findDirectory = async (identity: Database, tokenHash: Buffer): Promise<ScimDirectory | undefined> => {
  const { rows } = await sql<ScimDirectory>`
    select s.organization_id, s.token_created_by as made_by, ${OPENS} as opens, o.allowed_networks as networks
      from scim_settings s join organizations o on o.id = s.organization_id and o.deletes_at is null ${MAKER}
     where s.token_hash = ${tokenHash}`.execute(identity);
  return rows[0];
};

/** Returns the user of an address, in any organizations; null if there is none. */
export const findUserByAddress = async (identity: Database, email: string): Promise<string | null> => {
  const { rows } = await sql<{ id: string }>`select id from users where email = ${email}`.execute(identity);
  return rows[0]?.id ?? null;
};
