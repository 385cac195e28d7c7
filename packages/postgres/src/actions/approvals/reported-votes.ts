import { type RawBuilder, sql } from 'kysely';

/** A vote as reported by events. */
export type ReportedVote = {
  readonly user_id: string;
  readonly vote: 'APPROVE' | 'DENY';
  /** The wording it was cast for. */
  readonly wording: number;
  readonly comment: string | null;
  readonly voted_at: string;
};

/** The votes on the approval `p` of a statement, the first one first. */
export const listReportedVotes = (organizationId: string): RawBuilder<ReportedVote[]> => sql`(
  select coalesce(json_agg(json_build_object('user_id', v.user_id, 'vote', v.vote, 'wording', v.wording, 'comment', v.comment,
      'voted_at', to_char(v.voted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by v.voted_at, v.user_id), '[]'::json)
    from approval_votes v where v.organization_id = ${organizationId} and v.approval_id = p.id)`;
