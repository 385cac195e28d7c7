import type { Approver } from '@svc/domain/actions/approvals/quorum.ts';
import type { Role } from '@svc/domain/people/roles/role.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { asMember } from '../../people/members/as-member.ts';
import { handedTo, peopleAsked } from './standing.ts';

/** Who handed one approval over to somebody, and whether they handed theirs over themselves. */
export type Handovers = {
  readonly stands_for: NonNullable<Approver['stands_for']>;
  readonly handed_over: boolean;
  /** How many there are on the approval in all. */
  readonly total: number;
};

export const findHandovers = async (
  tx: TenantTransaction,
  organizationId: string,
  approvalId: string,
  userId: string,
): Promise<Handovers> => {
  const { rows } = await sql<Handovers>`
    select ${handedTo(organizationId, sql`${userId}`)} as stands_for,
           exists (select from approval_handovers h
             where h.organization_id = p.organization_id and h.approval_id = p.id and h.from_user_id = ${userId}) as handed_over,
           (select count(*)::int from approval_handovers h where h.organization_id = p.organization_id and h.approval_id = p.id) as total
      from approvals p where p.organization_id = ${organizationId} and p.id = ${approvalId}`.execute(tx);
  return rows[0] ?? { stands_for: [], handed_over: false, total: 0 };
};

export type Handover = {
  readonly approval_id: string;
  readonly workspace_id: string;
  readonly environment_id: string;
  readonly from_user_id: string;
  readonly to_user_id: string;
  readonly comment: string | null;
  readonly handed_over_at: Date;
};

/** Once of each person: the key of the table says so. */
export const insertHandover = async (tx: TenantTransaction, organizationId: string, handover: Handover): Promise<void> => {
  await tx
    .insertInto('approval_handovers')
    .values({
      organization_id: organizationId,
      ...handover,
      handed_over_at: asMember({ organization_id: organizationId, user_id: handover.from_user_id }, handover.handed_over_at),
    })
    .execute();
};

/** The role of a member who sees a workspace; null when there is no such person, or they do not. */
export const findRoleIn = async (
  tx: TenantTransaction,
  organizationId: string,
  userId: string,
  workspaceId: string,
): Promise<Role | null> => {
  const { rows } = await sql<{ role: Role }>`
    select json_build_object('id', r.id, 'name', r.name, 'built_in', r.organization_id is null, 'permissions', r.permissions) as role
      from members m join roles r on r.id = m.role_id and (r.organization_id is null or r.organization_id = m.organization_id)
     where m.organization_id = ${organizationId} and m.user_id = ${userId}
       and (not m.is_limited or exists (select from member_workspaces w
             where w.organization_id = m.organization_id and w.member_id = m.id and w.workspace_id = ${workspaceId}))`.execute(tx);
  return rows[0]?.role ?? null;
};

/** Of each role, which is more than any rule asks of one; who is asked by name is told besides. */
const OF_EACH_ROLE = 100;

/**
 * Those who may approve something in the workspace of an approval, each with those who handed it over to them: enough to say whether it can
 * be approved at all, however many members there are. Roles come once, and not with each of their people.
 */
export const listCouldApprove = async (tx: TenantTransaction, organizationId: string, approvalId: string): Promise<Approver[]> => {
  const { rows: roles } = await sql<Role>`
    select r.id, r.name, r.organization_id is null as built_in, r.permissions from roles r
     where (r.organization_id is null or r.organization_id = ${organizationId}) and 'approval:approve' = any (r.permissions)`.execute(tx);
  const byId = new Map(roles.map((role) => [role.id, role]));
  const { rows } = await sql<Omit<Approver, 'role'> & { readonly role_id: string }>`
    select p.user_id, p.role_id, ${handedTo(organizationId, sql.ref('p.user_id'))} as stands_for from (
      select p.id, p.workspace_id, m.user_id, m.role_id, m.user_id = any (${peopleAsked}) as is_asked,
             row_number() over (partition by m.role_id order by m.user_id) as place
        from approvals p join members m on m.organization_id = p.organization_id
       where p.organization_id = ${organizationId} and p.id = ${approvalId} and m.role_id = any (${[...byId.keys()]}::text[])
         and not exists (select from approval_handovers h
               where h.organization_id = p.organization_id and h.approval_id = p.id and h.from_user_id = m.user_id)
         and (not m.is_limited or exists (select from member_workspaces w
               where w.organization_id = m.organization_id and w.member_id = m.id and w.workspace_id = p.workspace_id))) p
     where p.is_asked or p.place <= ${OF_EACH_ROLE}`.execute(tx);
  return rows.flatMap(({ role_id, ...member }) => {
    const role = byId.get(role_id);
    return role ? [{ ...member, role }] : [];
  });
};
