import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

export type DirectoryGroup = {
  readonly id: string;
  readonly display_name: string;
  readonly external_id: string | null;
  readonly members: readonly { readonly id: string; readonly user_name: string }[];
  readonly created_at: string;
  readonly updated_at: string;
};

export type GroupWhere = { readonly by: 'id' | 'display_name' | 'external_id'; readonly value: string };

const selectGroups = (organizationId: string, which: RawBuilder<unknown>) => sql<DirectoryGroup>`
  select g.id, g.display_name, g.external_id, g.created_at, g.updated_at,
         coalesce((select json_agg(json_build_object('id', s.id, 'user_name', s.user_name) order by s.id)
           from scim_group_members x join scim_users s on s.organization_id = x.organization_id and s.id = x.member_id
          where x.organization_id = g.organization_id and x.group_id = g.id), '[]') as members
    from scim_groups g where g.organization_id = ${organizationId} and ${which}`;

const matching = (where: GroupWhere | undefined): RawBuilder<unknown> => {
  if (where === undefined) return sql`true`;
  return where.by === 'display_name'
    ? sql`lower(g.display_name) = lower(${where.value})`
    : sql`${sql.ref(`g.${where.by}`)} = ${where.value}`;
};

export const findDirectoryGroup = async (tx: TenantTransaction, organizationId: string, id: string): Promise<DirectoryGroup | undefined> =>
  (await selectGroups(organizationId, sql`g.id = ${id}`).execute(tx)).rows[0];

export const listDirectoryGroups = async (
  tx: TenantTransaction,
  organizationId: string,
  { where, limit, offset }: { where?: GroupWhere | undefined; limit: number; offset: number },
): Promise<{ readonly total: number; readonly groups: readonly DirectoryGroup[] }> => {
  const page = sql`${matching(where)} order by g.id limit ${limit} offset ${offset}`;
  const { rows } = await selectGroups(organizationId, page).execute(tx);
  const counted = await sql<{ total: string }>`
    select count(*) as total from scim_groups g where g.organization_id = ${organizationId} and ${matching(where)}`.execute(tx);
  return { total: Number(counted.rows[0]?.total ?? 0), groups: rows };
};

type GroupRow = Pick<DirectoryGroup, 'id' | 'display_name' | 'external_id'>;

/** A name that is taken meets the constraint `scim_groups_name_is_unique`. */
export const saveDirectoryGroup = async (tx: TenantTransaction, organizationId: string, group: GroupRow, now: Date): Promise<void> => {
  const { id, ...said } = group;
  await tx
    .insertInto('scim_groups')
    .values({ organization_id: organizationId, id, ...said, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.columns(['organization_id', 'id']).doUpdateSet({ ...said, updated_at: now }))
    .execute();
};

export const deleteDirectoryGroup = async (tx: TenantTransaction, organizationId: string, id: string): Promise<void> => {
  await tx.deleteFrom('scim_groups').where('organization_id', '=', organizationId).where('id', '=', id).execute();
};

/** Of the ids, those of people whom the directory knows. */
export const knownPeople = async (tx: TenantTransaction, organizationId: string, ids: readonly string[]): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select id from scim_users where organization_id = ${organizationId} and deleted_at is null and id = any (${ids}::text[])`.execute(tx);
  return rows.map(({ id }) => id);
};

type Membership = { readonly organization_id: string; readonly group_id: string };

export const addToGroup = async (
  tx: TenantTransaction,
  { organization_id, group_id }: Membership,
  ids: readonly string[],
): Promise<void> => {
  await sql`insert into scim_group_members (organization_id, group_id, member_id)
    select ${organization_id}, ${group_id}, x.id from unnest(${ids}::text[]) as x (id) on conflict do nothing`.execute(tx);
};

export const takeFromGroup = async (
  tx: TenantTransaction,
  { organization_id, group_id }: Membership,
  ids: readonly string[],
): Promise<void> => {
  await sql`delete from scim_group_members
    where organization_id = ${organization_id} and group_id = ${group_id} and member_id = any (${ids}::text[])`.execute(tx);
};

/** The names of the groups of people, and who they are. */
export const groupsOfPeople = async (
  tx: TenantTransaction,
  organizationId: string,
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly user_id: string; readonly groups: string[] }[]> => {
  const { rows } = await sql<{ id: string; user_id: string; groups: string[] }>`
    select s.id, s.user_id, array(select g.display_name from scim_group_members x
             join scim_groups g on g.organization_id = x.organization_id and g.id = x.group_id
            where x.organization_id = s.organization_id and x.member_id = s.id) as groups
      from scim_users s where s.organization_id = ${organizationId} and s.id = any (${ids}::text[])`.execute(tx);
  return rows;
};

/** Everybody in groups of these names, a bounded number of them. */
export const peopleOfGroups = async (tx: TenantTransaction, organizationId: string, names: readonly string[], limit: number) => {
  const { rows } = await sql<{ id: string }>`
    select distinct x.member_id as id from scim_group_members x
      join scim_groups g on g.organization_id = x.organization_id and g.id = x.group_id
     where x.organization_id = ${organizationId} and g.display_name = any (${names}::text[]) limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
};
