import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { joinParts } from './join-parts.ts';

/** A person as the directory knows them. Active while they are a member. */
export type DirectoryUser = {
  readonly id: string;
  readonly user_id: string;
  readonly user_name: string;
  readonly email: string;
  readonly external_id: string | null;
  readonly given_name: string | null;
  readonly family_name: string | null;
  readonly display_name: string | null;
  readonly active: boolean;
  /** True if the directory created the account. */
  readonly made_user: boolean;
  /** True if the directory has sent data about them. */
  readonly is_known: boolean;
  readonly groups: readonly { readonly id: string; readonly display_name: string }[];
  readonly created_at: string;
  readonly updated_at: string;
};

/** How a directory looks up a user. */
export type UserWhere = { readonly by: 'id' | 'user_name' | 'external_id' | 'email' | 'group'; readonly value: string };

/**
 * Users that the directory created or has data of, and members with an address in a verified domain of the organization. Their groups are
 * read separately.
 */
const getUsers = (organizationId: string) => sql`(
  select s.id, s.user_id, s.user_name, s.email, s.external_id, s.given_name, s.family_name, s.display_name, s.made_user, true as is_known,
         exists (select from members m where m.organization_id = s.organization_id and m.user_id = s.user_id) as active,
         s.created_at, s.updated_at, '[]'::json as groups
    from scim_users s where s.organization_id = ${organizationId} and s.deleted_at is null
  union all
  select m.id, m.user_id, u.email, u.email, null, null, null, u.name, false, false, true, m.created_at, m.created_at, '[]'::json
    from members m join users u on u.id = m.user_id
    join sso_domains d on d.organization_id = m.organization_id and d.domain = split_part(u.email, '@', 2) and d.verified_at is not null
   where m.organization_id = ${organizationId}
     and not exists (select from scim_users s where s.organization_id = m.organization_id and s.user_id = m.user_id and s.deleted_at is null)
)`;

const matching = (organizationId: string, where: UserWhere | undefined): RawBuilder<unknown> => {
  if (where === undefined) return sql`true`;
  const { by, value } = where;
  if (by === 'group')
    return sql`d.id in (select x.member_id from scim_group_members x
      where x.organization_id = ${organizationId} and x.group_id = ${value})`;
  return by === 'user_name' || by === 'email' ? sql`lower(${sql.ref(`d.${by}`)}) = lower(${value})` : sql`${sql.ref(`d.${by}`)} = ${value}`;
};

/** Puts their groups in, of as many of the people, from the first on, as are in no more than `limit` together. */
export const withGroups = async (
  tx: TenantTransaction,
  organizationId: string,
  users: readonly DirectoryUser[],
  limit: number,
): Promise<DirectoryUser[]> => {
  const { rows } = await sql<{ of: string; id: string; display_name: string }>`
    select x.member_id as of, g.id, g.display_name
      from scim_group_members x join scim_groups g on g.organization_id = x.organization_id and g.id = x.group_id
     where x.organization_id = ${organizationId} and x.member_id = any (${users.map(({ id }) => id)}::text[])
     order by x.member_id, x.group_id limit ${limit + 1}`.execute(tx);
  return joinParts(users, rows, limit).map(([user, found]) => ({
    ...user,
    groups: found.map(({ id, display_name }) => ({ id, display_name })),
  }));
};

/** A user with all of their groups. */
export const findDirectoryUser = async (
  tx: TenantTransaction,
  organizationId: string,
  where: UserWhere,
): Promise<DirectoryUser | undefined> => {
  const { rows } = await sql<DirectoryUser>`
    select d.* from ${getUsers(organizationId)} d where ${matching(organizationId, where)} order by d.id limit 1`.execute(tx);
  return (await withGroups(tx, organizationId, rows, LIMITS.scim.groupsMax))[0];
};

/** A page in the order of ids, their groups left out, and how many there are in all. */
export const listDirectoryUsers = async (
  tx: TenantTransaction,
  organizationId: string,
  { where, limit, offset }: { where?: UserWhere | undefined; limit: number; offset: number },
): Promise<{ readonly total: number; readonly rows: readonly DirectoryUser[] }> => {
  const { rows } = await sql<DirectoryUser>`
    select d.* from ${getUsers(organizationId)} d where ${matching(organizationId, where)} order by d.id limit ${limit} offset ${offset}`.execute(
    tx,
  );
  const counted = await sql<{
    total: string;
  }>`select count(*) as total from ${getUsers(organizationId)} d where ${matching(organizationId, where)}`.execute(tx);
  return { total: Number(counted.rows[0]?.total ?? 0), rows };
};

export type SavedUser = Omit<DirectoryUser, 'active' | 'is_known' | 'groups' | 'created_at' | 'updated_at'>;

export const saveDirectoryUser = async (tx: TenantTransaction, organizationId: string, user: SavedUser, now: Date): Promise<void> => {
  const { id, user_id, made_user, ...said } = user;
  await tx
    .insertInto('scim_users')
    .values({ organization_id: organizationId, id, user_id, made_user, ...said, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.columns(['organization_id', 'id']).doUpdateSet({ ...said, updated_at: now }))
    .execute();
};

/** Stores, in one statement, those of these people whom the directory may manage and has no data of yet; returns their ids. */
export const keepUnspokenUsers = async (tx: TenantTransaction, organizationId: string, ids: readonly string[], now: Date) => {
  const { rows } = await sql<{ id: string }>`
    insert into scim_users (organization_id, id, user_id, user_name, email, made_user, display_name, created_at, updated_at)
    select ${organizationId}, d.id, d.user_id, d.user_name, d.email, d.made_user, d.display_name, ${now}, ${now}
      from ${getUsers(organizationId)} d where not d.is_known and d.id = any (${[...ids]}::text[])
        on conflict (organization_id, id) do update
       set user_name = excluded.user_name, email = excluded.email, display_name = excluded.display_name, updated_at = excluded.updated_at
    returning id`.execute(tx);
  return rows.map(({ id }) => id);
};

/** Records if the directory created the account. */
export const deleteDirectoryUser = async (tx: TenantTransaction, organizationId: string, id: string, now: Date): Promise<void> => {
  await tx.deleteFrom('scim_group_members').where('organization_id', '=', organizationId).where('member_id', '=', id).execute();
  await tx.updateTable('scim_users').set({ deleted_at: now }).where('organization_id', '=', organizationId).where('id', '=', id).execute();
};

/** Deletes the record of a deleted user who returns; returns true if the directory had created the account. */
export const takeDeleted = async (tx: TenantTransaction, organizationId: string, userId: string): Promise<boolean> => {
  const row = await tx
    .deleteFrom('scim_users')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is not', null)
    .returning('made_user')
    .executeTakeFirst();
  return row?.made_user ?? false;
};

/** For an address in a verified domain of the organization, which is responsible for it. */
export const insertAccount = async (
  tx: TenantTransaction,
  user: { readonly id: string; readonly email: string; readonly name: string },
  now: Date,
): Promise<void> => {
  await tx
    .insertInto('users')
    .values({ ...user, password_hash: null, email_verified_at: now, created_at: now })
    .execute();
};

/** Makes a user with an account a member, replacing an earlier membership. */
export const insertDirectoryMember = async (
  tx: TenantTransaction,
  organizationId: string,
  member: { readonly id: string; readonly user_id: string; readonly role_id: string; readonly provisioned_by: 'SSO' | 'SCIM' | null },
  now: Date,
): Promise<void> => {
  await tx
    .insertInto('members')
    .values({ organization_id: organizationId, ...member, created_at: now })
    .execute();
};

/** Marks the account of a member as created by the directory, so that its provider may confirm the first sign-in. */
export const noteProvisioned = async (tx: TenantTransaction, organizationId: string, memberId: string): Promise<void> => {
  await tx
    .updateTable('members')
    .set({ provisioned_by: 'SCIM' })
    .where('organization_id', '=', organizationId)
    .where('id', '=', memberId)
    .execute();
};
