import type { Member } from '@svc/contract/people/members.ts';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { isOwner, type RoleRecord } from '@svc/domain/people/roles/role.ts';
import { type RawBuilder, sql } from 'kysely';
import type { TenantScope, TenantTransaction } from '../../connection/in-tenant.ts';
import { isSeenMember, type VisibleWorkspaces } from '../../connection/seen-members.ts';
import { type Listed, type ListedPart, listed } from '../../lists/listed.ts';
import { readMemberRole } from '../auth/member-rights.ts';

/** A member with the permissions of the role; a missing role has none. */
export type StoredMember = Member & { readonly stored_role: RoleRecord };

type Row = {
  readonly id: string;
  readonly user_id: string;
  readonly email: string;
  readonly user_name: string;
  readonly role_id: string;
  readonly role: RoleRecord | null;
  readonly workspace_ids: string[] | null;
  readonly joined_at: string;
};

const asMember = ({ id, user_id, email, user_name, role_id, role, workspace_ids, joined_at }: Row): StoredMember => ({
  id,
  user: { id: user_id, email, name: user_name },
  role: { id: role_id, name: role?.name ?? role_id },
  workspace_ids,
  joined_at,
  stored_role: role ?? { id: role_id, name: role_id, built_in: false, permissions: [] },
});

/** Returns a member in API form. */
export const toMemberView = ({ stored_role: _, ...member }: StoredMember): Member => member;

const selectMembers = (organizationId: string, seen: VisibleWorkspaces, which: RawBuilder<unknown>): RawBuilder<Row> => sql<Row>`
  select m.id, m.user_id, u.email, u.name as user_name, m.role_id, m.created_at as joined_at,
         case when r.id is not null then json_build_object('id', r.id, 'name', r.name, 'built_in', r.organization_id is null,
           'permissions', r.permissions) end as role,
         case when m.is_limited then array(select w.workspace_id from member_workspaces w
           where w.organization_id = m.organization_id and w.member_id = m.id and (${seen}::text[] is null or w.workspace_id = any (${seen}::text[]))
           order by w.workspace_id) end as workspace_ids
    from members m join users u on u.id = m.user_id ${readMemberRole('m')}
   where m.organization_id = ${organizationId} and ${isSeenMember('m', seen)} and ${which}`;

const seenBy = ({ workspace_ids }: TenantScope): VisibleWorkspaces => workspace_ids ?? null;

export const listMembers = (tx: TenantTransaction, scope: TenantScope, part: ListedPart): Promise<Listed<Member>> => {
  const { organization_id } = scope;
  const seen = seenBy(scope);
  return listed(
    part,
    async ({ limit, offset }) => {
      const which = sql`true order by m.created_at, m.id limit ${limit} offset ${offset}`;
      return (await selectMembers(organization_id, seen, which).execute(tx)).rows.map((row) => toMemberView(asMember(row)));
    },
    async (max) => {
      const { rows } = await sql<{ total: number }>`select count(*)::int as total from (
        select from members m where m.organization_id = ${organization_id} and ${isSeenMember('m', seen)} limit ${max}) found`.execute(tx);
      return rows[0]?.total ?? 0;
    },
  );
};

const findOne = async (tx: TenantTransaction, organizationId: string, seen: VisibleWorkspaces, which: RawBuilder<unknown>) => {
  const row = (await selectMembers(organizationId, seen, which).execute(tx)).rows[0];
  return row && asMember(row);
};

/** Returns a member in the scope. */
export const findMember = (tx: TenantTransaction, scope: TenantScope, id: string): Promise<StoredMember | undefined> =>
  findOne(tx, scope.organization_id, seenBy(scope), sql`m.id = ${id}`);

/** Returns a member of the organization, regardless of scope. */
export const findWholeMember = (tx: TenantTransaction, organizationId: string, id: string): Promise<StoredMember | undefined> =>
  findOne(tx, organizationId, null, sql`m.id = ${id}`);

export const findMemberByUser = (tx: TenantTransaction, organizationId: string, userId: string): Promise<StoredMember | undefined> =>
  findOne(tx, organizationId, null, sql`m.user_id = ${userId}`);

export const isMemberByEmail = async (tx: TenantTransaction, organizationId: string, email: string): Promise<boolean> =>
  (await findOne(tx, organizationId, null, sql`u.email = ${email}`)) !== undefined;

export type MemberRow = {
  readonly id: string;
  readonly user_id: string;
  readonly role_id: string;
  readonly workspace_ids: readonly string[] | null;
  readonly now: Date;
};

const giveWorkspaces = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  workspaceIds: readonly string[],
): Promise<void> => {
  await sql`insert into member_workspaces (organization_id, member_id, workspace_id)
    select ${organizationId}, ${id}, unnest(${workspaceIds}::text[])`.execute(tx);
};

export const insertMember = async (
  tx: TenantTransaction,
  organizationId: string,
  { workspace_ids, now, ...row }: MemberRow,
): Promise<void> => {
  await tx
    .insertInto('members')
    .values({ ...row, organization_id: organizationId, is_limited: workspace_ids !== null, created_at: now })
    .execute();
  await giveWorkspaces(tx, organizationId, row.id, workspace_ids ?? []);
};

/** Returns true if the member has exactly these from now on. */
export const setMember = async (
  tx: TenantTransaction,
  organizationId: string,
  { id, role_id, workspace_ids }: Pick<MemberRow, 'id' | 'role_id' | 'workspace_ids'>,
): Promise<void> => {
  await tx
    .updateTable('members')
    .set({ role_id, is_limited: workspace_ids !== null })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
  await tx.deleteFrom('member_workspaces').where('organization_id', '=', organizationId).where('member_id', '=', id).execute();
  await giveWorkspaces(tx, organizationId, id, workspace_ids ?? []);
};

export const deleteMember = async (tx: TenantTransaction, organizationId: string, id: string): Promise<void> => {
  await tx.deleteFrom('members').where('organization_id', '=', organizationId).where('id', '=', id).execute();
};

/** Returns true if there is another owner. */
export const hasOtherOwner = async (tx: TenantTransaction, organizationId: string, memberId: string): Promise<boolean> =>
  (await tx
    .selectFrom('members')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('role_id', '=', getBuiltInRole('owner').id)
    .where('id', '<>', memberId)
    .executeTakeFirst()) !== undefined;

export const isOwnerMember = ({ stored_role }: StoredMember): boolean => isOwner(stored_role);

/** Which of these are workspaces of the organization that the transaction sees. */
export const countWorkspaces = async (tx: TenantTransaction, organizationId: string, ids: readonly string[]): Promise<number> => {
  const { rows } = await sql<{ found: number }>`
    select count(*)::int as found from workspaces where organization_id = ${organizationId} and id = any (${ids}::text[])`.execute(tx);
  return rows[0]?.found ?? 0;
};
