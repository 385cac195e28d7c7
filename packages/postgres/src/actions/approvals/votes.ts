import type { Approver } from '@svc/domain/actions/approvals/quorum.ts';
import type { Role } from '@svc/domain/people/roles/role.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { asMember } from '../../people/members/as-member.ts';
import type { LockedApproval } from './approval-decisions.ts';
import { handedTo, roleOfVoter } from './standing.ts';

export type CastVote = {
  readonly user_id: string;
  readonly vote: 'APPROVE' | 'DENY';
  readonly comment: string | null;
  readonly voted_at: string;
  /** Held now; null when the person is no member any more, or joined again since, or is limited to workspaces beside that of the approval. */
  readonly role: Role | null;
  /** In whose stead, each with the role they hold now. */
  readonly stands_for: NonNullable<Approver['stands_for']>;
};

/** Every vote on the wording that stands, with the role its person holds now, the first one first. */
export const listCastVotes = async (
  tx: TenantTransaction,
  organizationId: string,
  approval: Pick<LockedApproval, 'id'>,
): Promise<CastVote[]> => {
  const { rows } = await sql<CastVote>`
    select v.user_id, v.vote, v.comment, v.voted_at, ${roleOfVoter(organizationId)} as role,
           ${handedTo(organizationId, sql.ref('v.user_id'))} as stands_for
      from approval_votes v join approvals p on p.organization_id = v.organization_id and p.id = v.approval_id and p.wording = v.wording
     where v.organization_id = ${organizationId} and v.approval_id = ${approval.id}
     order by v.voted_at, v.user_id`.execute(tx);
  return rows;
};

export const insertVote = async (
  tx: TenantTransaction,
  organizationId: string,
  vote: {
    readonly approval_id: string;
    readonly user_id: string;
    readonly vote: 'APPROVE' | 'DENY';
    readonly wording: number;
    readonly comment: string | null;
    readonly voted_at: Date;
  },
): Promise<void> => {
  await tx
    .insertInto('approval_votes')
    .values({
      organization_id: organizationId,
      ...vote,
      voted_at: asMember({ organization_id: organizationId, user_id: vote.user_id }, vote.voted_at),
    })
    .execute();
};
