import type { QuorumApprover } from '@svc/domain/actions/approvals/quorum.ts';
import type { PossibleApprover } from '@svc/domain/actions/approvals/separation.ts';
import type { RoleRecord } from '@svc/domain/people/roles/role.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { asMember } from '../../people/members/as-member.ts';
import { handedTo, reassignedPerson } from './standing.ts';

/** The people a person votes on behalf of, and the person they reassigned their own vote to. */
export type Handovers = {
  readonly stands_for: NonNullable<QuorumApprover['stands_for']>;
  readonly handed_to: PossibleApprover['handed_to'];
  /** The total on the approval. */
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
           ${reassignedPerson(organizationId, sql`${userId}`)} as handed_to,
           (select count(*)::int from approval_handovers h where h.organization_id = p.organization_id and h.approval_id = p.id) as total
      from approvals p where p.organization_id = ${organizationId} and p.id = ${approvalId}`.execute(tx);
  return rows[0] ?? { stands_for: [], handed_to: null, total: 0 };
};

/** Approvals among these that were reassigned at least once. */
export const listReassigned = async (
  tx: TenantTransaction,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (ids.length === 0) return new Set();
  const rows = await tx
    .selectFrom('approval_handovers')
    .select('approval_id')
    .distinct()
    .where('organization_id', '=', organizationId)
    .where('approval_id', 'in', [...ids])
    .execute();
  return new Set(rows.map(({ approval_id }) => approval_id));
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

/** Adds a reassignment. It replaces an earlier one of the same person, whose target can no longer vote. */
export const insertHandover = async (tx: TenantTransaction, organizationId: string, handover: Handover): Promise<void> => {
  const given = {
    to_user_id: handover.to_user_id,
    comment: handover.comment,
    handed_over_at: asMember({ organization_id: organizationId, user_id: handover.from_user_id }, handover.handed_over_at),
  };
  await tx
    .insertInto('approval_handovers')
    .values({ organization_id: organizationId, ...handover, ...given })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'approval_id', 'from_user_id']).doUpdateSet({ ...given, returned_at: null }),
    )
    .execute();
};

/** Ends the reassignment of a person who decides themselves. */
export const returnHandover = async (
  tx: TenantTransaction,
  organizationId: string,
  { approval_id, from_user_id }: Pick<Handover, 'approval_id' | 'from_user_id'>,
  now: Date,
): Promise<void> => {
  await tx
    .updateTable('approval_handovers')
    .set({ returned_at: now })
    .where('organization_id', '=', organizationId)
    .where('approval_id', '=', approval_id)
    .where('from_user_id', '=', from_user_id)
    .execute();
};

/** Returns the role of a member with access to a workspace; null if there is no such person or access. */
export const findWorkspaceRole = async (
  tx: TenantTransaction,
  organizationId: string,
  userId: string,
  workspaceId: string,
): Promise<RoleRecord | null> => {
  const { rows } = await sql<{ role: RoleRecord }>`
    select json_build_object('id', r.id, 'name', r.name, 'built_in', r.organization_id is null, 'permissions', r.permissions) as role
      from members m join roles r on r.id = m.role_id and (r.organization_id is null or r.organization_id = m.organization_id)
     where m.organization_id = ${organizationId} and m.user_id = ${userId}
       and (not m.is_limited or exists (select from member_workspaces w
             where w.organization_id = m.organization_id and w.member_id = m.id and w.workspace_id = ${workspaceId}))`.execute(tx);
  return rows[0]?.role ?? null;
};
