import type { Uncounted } from '@svc/contract/actions/approval-shapes.ts';
import { mayApprove } from './approver-role.ts';
import { countApprovers, type QuorumApprover, type QuorumTerms } from './quorum.ts';
import { type Excluded, removeExcluded } from './separation.ts';

export type JudgedVote = QuorumApprover & {
  readonly vote: 'APPROVE' | 'DENY';
  readonly wording: number;
  readonly withdrawn_at: string | null;
};

const BEHIND = { REQUEST: 'BEHIND_REQUEST', AGENT: 'BEHIND_AGENT' } as const;

/** Returns why an approving vote does not count now; null if it does. */
const uncountedNow = (terms: QuorumTerms & { readonly wording: number }, vote: JudgedVote, excluded: Excluded): Uncounted | null => {
  if (vote.withdrawn_at !== null) return 'WITHDRAWN';
  if (vote.wording !== terms.wording) return 'OTHER_WORDING';
  if (vote.role === null) return 'NO_ACCESS';
  if (!mayApprove(vote.role)) return 'NO_PERMISSION';
  const reason = excluded.get(vote.user_id);
  if (reason) return BEHIND[reason];
  return countApprovers(terms, removeExcluded([vote], excluded)).people.length === 1 ? null : 'NOT_REQUESTED';
};

export type VotedApproval = QuorumTerms & {
  readonly wording: number;
  readonly status: string;
  /** Voters by whom it was approved; null until then. */
  readonly approved_by: readonly string[] | null;
};

/** Returns why a vote does not count, or did not when the approval was decided; null if it does. */
export const uncounted = (approval: VotedApproval, vote: JudgedVote, excluded: Excluded): Uncounted | null => {
  const { status, approved_by, wording } = approval;
  if (vote.vote === 'DENY') return null;
  if (status === 'PENDING') return uncountedNow(approval, vote, excluded);
  const isCurrent = vote.withdrawn_at === null && vote.wording === wording;
  const counted = status === 'APPROVED' || status === 'CONSUMED' ? approved_by : null;
  if (isCurrent && (counted === null || counted.includes(vote.user_id))) return null;
  return uncountedNow(approval, vote, excluded) ?? 'NO_PERMISSION';
};

/** The remedy for an approval that no one who may vote can grant. */
export const noApproverRemedy = (isSeparation: boolean): string =>
  isSeparation
    ? 'Only people who registered the agent, created its key or authorized it could approve this. Invite another approver, or have a user set the separation of the environment to WHEN_POSSIBLE.'
    : 'Not enough people who may vote hold a role that this approval requires. Invite an approver, or name other approvers in the policy rule and send the request again.';
