import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { joinParts } from './join-parts.ts';

export type DirectoryGroup = {
  readonly id: string;
  readonly display_name: string;
  readonly external_id: string | null;
  readonly members: readonly { readonly id: string; readonly user_name: string }[];
  readonly created_at: string;
  readonly updated_at: string;
};

/** How a directory looks up a group, or groups by one of their members. */
export type GroupWhere = { readonly by: 'id' | 'display_name' | 'external_id' | 'member'; readonly value: string };

/** Their members are read aside, since there may be many. */
const selectGroups = (organizationId: string, which: RawBuilder<unknown>) => sql<DirectoryGroup>`
  select g.id, g.display_name, g.external_id, g.created_at, g.updated_at, '[]'::json as members
    from scim_groups g where g.organization_id = ${organizationId} and ${which}`;

const matching = (where: GroupWhere | undefined): RawBuilder<unknown> => {
  if (where === undefined) return sql`true`;
  const { by, value } = where;
  if (by === 'member')
    return sql`exists (select from scim_group_members x
      where x.organization_id = g.organization_id and x.group_id = g.id and x.member_id = ${value})`;
  return by === 'display_name' ? sql`lower(g.display_name) = lower(${value})` : sql`${sql.ref(`g.${by}`)} = ${value}`;
};

/** Puts their members in, of as many of the groups, from the first on, as have no more than `limit` together. */
export const withMembers = async (
  tx: TenantTransaction,
  organizationId: string,
  groups: readonly DirectoryGroup[],
  limit: number,
): Promise<DirectoryGroup[]> => {
  const { rows } = await sql<{ of: string; id: string; user_name: string }>`
    select x.group_id as of, s.id, s.user_name
      from scim_group_members x join scim_users s on s.organization_id = x.organization_id and s.id = x.member_id
     where x.organization_id = ${organizationId} and x.group_id = any (${groups.map(({ id }) => id)}::text[])
     order by x.group_id, x.member_id limit ${limit + 1}`.execute(tx);
  return joinParts(groups, rows, limit).map(([group, found]) => ({
    ...group,
    members: found.map(({ id, user_name }) => ({ id, user_name })),
  }));
};

/** The maximum number of members in a group. */
export const ALL_MEMBERS = { limit: LIMITS.scim.groupMembersMax } as const;

export const findDirectoryGroup = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  members: { readonly limit: number } | 'none',
): Promise<DirectoryGroup | undefined> => {
  const [group] = (await selectGroups(organizationId, sql`g.id = ${id}`).execute(tx)).rows;
  if (members === 'none' || group === undefined) return group;
  return (await withMembers(tx, organizationId, [group], members.limit))[0];
};

/** A page in the order of ids, their members left out, and how many groups there are in all. */
export const listDirectoryGroups = async (
  tx: TenantTransaction,
  organizationId: string,
  { where, limit, offset }: { where?: GroupWhere | undefined; limit: number; offset: number },
): Promise<{ readonly total: number; readonly rows: readonly DirectoryGroup[] }> => {
  const page = sql`${matching(where)} order by g.id limit ${limit} offset ${offset}`;
  const { rows } = await selectGroups(organizationId, page).execute(tx);
  const counted = await sql<{ total: string }>`
    select count(*) as total from scim_groups g where g.organization_id = ${organizationId} and ${matching(where)}`.execute(tx);
  return { total: Number(counted.rows[0]?.total ?? 0), rows };
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

/** Returns the ids of people known to the directory. */
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

/**
 * Returns people by id, and which of these names is the first that a group of theirs has, counted from 1. The names of their other groups,
 * of which there
 * may be many, are not read.
 */
export const firstGroupsOfPeople = async (
  tx: TenantTransaction,
  organizationId: string,
  ids: readonly string[],
  names: readonly string[],
): Promise<readonly { readonly user_id: string; readonly first: number | null }[]> => {
  const { rows } = await sql<{ user_id: string; first: number | null }>`
    with named as materialized (
      select g.id, min(n.place)::int as place from unnest(${[...names]}::text[]) with ordinality as n (name, place)
        join scim_groups g on g.organization_id = ${organizationId} and g.display_name = n.name group by g.id),
    theirs as materialized (
      select x.member_id, min(n.place) as first from named n
        join scim_group_members x on x.organization_id = ${organizationId} and x.group_id = n.id
       where x.member_id = any (${[...ids]}::text[]) group by x.member_id)
    select s.user_id, t.first from scim_users s left join theirs t on t.member_id = s.id
     where s.organization_id = ${organizationId} and s.id = any (${[...ids]}::text[])`.execute(tx);
  return rows;
};

/** The people in groups of these names, a bounded number of them. */
export const peopleOfGroups = async (tx: TenantTransaction, organizationId: string, names: readonly string[], limit: number) => {
  const { rows } = await sql<{ id: string }>`
    select distinct x.member_id as id from scim_group_members x
      join scim_groups g on g.organization_id = x.organization_id and g.id = x.group_id
     where x.organization_id = ${organizationId} and g.display_name = any (${names}::text[]) limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
};
