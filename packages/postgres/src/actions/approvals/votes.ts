import type { QuorumApprover } from '@svc/domain/actions/approvals/quorum.ts';
import type { JudgedVote } from '@svc/domain/actions/approvals/uncounted-votes.ts';
import type { RoleRecord } from '@svc/domain/people/roles/role.ts';
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
  /** The current role; null if the person is no longer a member, or joined again since, or is limited to other workspaces. */
  readonly role: RoleRecord | null;
  /** The people represented, each with their current role. */
  readonly stands_for: NonNullable<QuorumApprover['stands_for']>;
};

/** Lists the votes on the current wording that were not withdrawn, oldest first, with the role that each person holds now. */
export const listCastVotes = async (
  tx: TenantTransaction,
  organizationId: string,
  approval: Pick<LockedApproval, 'id'>,
): Promise<CastVote[]> => {
  const { rows } = await sql<CastVote>`
    select v.user_id, v.vote, v.comment, v.voted_at, ${roleOfVoter(organizationId)} as role,
           ${handedTo(organizationId, sql.ref('v.user_id'))} as stands_for
      from approval_votes v join approvals p on p.organization_id = v.organization_id and p.id = v.approval_id and p.wording = v.wording
     where v.organization_id = ${organizationId} and v.approval_id = ${approval.id} and v.withdrawn_at is null
     order by v.voted_at, v.user_id`.execute(tx);
  return rows;
};

/** A vote as it is shown, with what it is judged by. */
export type VoteView = JudgedVote & {
  readonly approval_id: string;
  readonly user_name: string;
  readonly comment: string | null;
  readonly voted_at: string;
};

/** Lists all votes on these approvals, oldest first, with the role that each person holds now. */
export const listVotes = async (tx: TenantTransaction, organizationId: string, ids: readonly string[]): Promise<VoteView[]> => {
  const { rows } = await sql<VoteView>`
    select v.approval_id, v.user_id, coalesce(u.name, v.user_id) as user_name, v.vote, v.wording, v.comment, v.voted_at, v.withdrawn_at,
           ${roleOfVoter(organizationId)} as role, ${handedTo(organizationId, sql.ref('v.user_id'))} as stands_for
      from approval_votes v join approvals p on p.organization_id = v.organization_id and p.id = v.approval_id
      left join users u on u.id = v.user_id
     where v.organization_id = ${organizationId} and v.approval_id = any (${[...ids]}::text[])
     order by v.voted_at, v.user_id`.execute(tx);
  return rows;
};

/** Adds a vote. It replaces an earlier one of the same person that was withdrawn or no longer counts. */
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
  const cast = {
    vote: vote.vote,
    comment: vote.comment,
    voted_at: asMember({ organization_id: organizationId, user_id: vote.user_id }, vote.voted_at),
  };
  await tx
    .insertInto('approval_votes')
    .values({ organization_id: organizationId, ...vote, ...cast })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'approval_id', 'user_id', 'wording']).doUpdateSet({ ...cast, withdrawn_at: null }),
    )
    .execute();
};

/** Marks a vote as withdrawn. */
export const withdrawVote = async (
  tx: TenantTransaction,
  organizationId: string,
  { approval_id, user_id, wording }: { readonly approval_id: string; readonly user_id: string; readonly wording: number },
  now: Date,
): Promise<void> => {
  await tx
    .updateTable('approval_votes')
    .set({ withdrawn_at: now })
    .where('organization_id', '=', organizationId)
    .where('approval_id', '=', approval_id)
    .where('user_id', '=', user_id)
    .where('wording', '=', wording)
    .execute();
};
