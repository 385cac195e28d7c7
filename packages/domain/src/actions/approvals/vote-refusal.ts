import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { AgentStatus, ApprovalStatus, PrincipalType } from '@svc/contract/tables/vocabulary.ts';
import { refuseFinalStatus } from '../../agents/agents/final-status.ts';
import type { RoleRecord } from '../../people/roles/role.ts';
import { isRequestedApprover, type QuorumApprover, type QuorumTerms } from './quorum.ts';
import type { Excluded } from './separation.ts';

export type Voter = {
  readonly type: PrincipalType;
  readonly id: string;
  /** The current role; null if the person is no longer a member. */
  readonly role: RoleRecord | null;
  readonly stepped_up: boolean;
  /** People who reassigned their vote to them. */
  readonly stands_for?: QuorumApprover['stands_for'];
  /** True if they reassigned their vote. */
  readonly handed_over?: boolean;
};

/** The state of an approval when the vote is cast. */
export type VotedOn = QuorumTerms & {
  readonly status: ApprovalStatus;
  /** The requesting agent's status, by the clock; null if unknown. */
  readonly agent_status: AgentStatus | null;
  readonly expires_at: string;
  /** Number of the wording that is voted on. */
  readonly wording: number;
  readonly step_up: boolean;
  /** People who do not approve, because they are behind the request or behind the agent. */
  readonly excluded: Excluded;
  /** People whose vote on this wording counts now. */
  readonly voters: ReadonlySet<string>;
};

type Denied = Refusal<'PERMISSION_DENIED'>;
type Undecidable = Refusal<'APPROVAL_EXPIRED' | 'INVALID_STATE_TRANSITION' | 'CONFLICT'>;
export type Stale = Refusal<'VERSION_CONFLICT'>;

/** A vote that does not count, by code; undefined when it does. */
export type JudgeVote<R extends Refusal> = (approval: VotedOn, voter: Voter, now: Date) => R | undefined;

/** The refusal of a person who is not requested: the roles are in its details, even if a rule also names people. */
export const refuseUnrequestedVoter = ({ approver_roles }: Pick<VotedOn, 'approver_roles'>): Denied =>
  buildRefusal(
    'PERMISSION_DENIED',
    'You are not an approver of this request. Only members with its approver roles and the approvers listed in the policy rule can vote.',
    {
      approver_roles,
    },
  );

export const refuseNonVoter = (approval: VotedOn, { type, id, role, stands_for = [] }: Voter): Denied | undefined => {
  if (type !== 'USER') return buildRefusal('PERMISSION_DENIED', 'Only a signed-in user can decide an approval; an API key cannot.');
  if (isRequestedApprover(approval, { user_id: id, role, stands_for })) return undefined;
  return refuseUnrequestedVoter(approval);
};

const OWN = {
  REQUEST:
    'You made this request, answered for the agent, replaced its key, or created or passed on the delegation that the request uses, so you cannot approve it. Ask another approver.',
  AGENT:
    'You registered this agent, created its key, authorized it for the tool or granted it the capability, so you cannot approve its requests. Ask another approver.',
} as const;

/** Refuses an approval by a person who is behind the request or the agent. */
export const refuseOwnRequest = ({ excluded }: VotedOn, { id }: Voter): Denied | undefined => {
  const reason = excluded.get(id);
  return reason && buildRefusal('PERMISSION_DENIED', OWN[reason], { excluded_because: reason });
};

/** The refusal of a vote on another wording than the current one. The first wording needs no number. */
export const refuseStaleVote = ({ wording }: Pick<VotedOn, 'wording'>, seen: number | undefined): Stale | undefined =>
  (seen ?? 1) === wording
    ? undefined
    : buildRefusal(
        'VERSION_CONFLICT',
        'The request was changed in the meantime. Review it again, and send the id of its current wording.',
        {
          wording,
        },
      );

const isOver = ({ status, expires_at }: VotedOn, now: Date): boolean =>
  status === 'EXPIRED' || ((status === 'PENDING' || status === 'APPROVED') && Date.parse(expires_at) <= now.getTime());

/**
 * Returns why nothing can be decided any more. An agent that ended cannot act on a decision, even if its approvals are not withdrawn yet;
 * a stopped one may return, and its next request is judged again.
 */
export const refuseSettledVote = (approval: VotedOn, voter: Voter, operation: string, now: Date): Undecidable | undefined => {
  const { status, agent_status, expires_at, voters } = approval;
  if (isOver(approval, now)) return buildRefusal('APPROVAL_EXPIRED', undefined, { expires_at });
  if (status !== 'PENDING') {
    const details = { operation, from: status, allowed_from: ['PENDING'] };
    return buildRefusal('INVALID_STATE_TRANSITION', 'The approval has already been decided.', details);
  }
  const over = agent_status === null ? null : refuseFinalStatus(operation, agent_status);
  if (over) return over;
  if (voter.handed_over === true) return buildRefusal('CONFLICT', 'You reassigned this decision to another approver.');
  return voters.has(voter.id)
    ? buildRefusal('CONFLICT', 'You have already voted on this approval. Withdraw your vote first to change it.')
    : undefined;
};

/** Refuses to withdraw a vote that was not cast, or that the approval no longer waits for. A person may always withdraw a vote of their own. */
export const refuseWithdrawal = (approval: VotedOn, { type }: Voter, hasVoted: boolean, now: Date): Denied | Undecidable | undefined => {
  const { status, expires_at } = approval;
  if (type !== 'USER') return buildRefusal('PERMISSION_DENIED', 'Only a signed-in user can withdraw a vote; an API key cannot.');
  if (isOver(approval, now)) return buildRefusal('APPROVAL_EXPIRED', undefined, { expires_at });
  if (status !== 'PENDING' && status !== 'APPROVED') {
    const why =
      status === 'CONSUMED'
        ? 'The approval has been used, so no vote can be withdrawn.'
        : 'The approval has ended, so no vote can be withdrawn.';
    return buildRefusal('INVALID_STATE_TRANSITION', why, { operation: 'withdraw', from: status, allowed_from: ['PENDING', 'APPROVED'] });
  }
  return hasVoted ? undefined : buildRefusal('CONFLICT', 'You have no approving vote on the current wording of this request.');
};

/** The right to deny depends on the person alone, so it is checked before anything about the state is disclosed. */
export const refuseDenial: JudgeVote<Denied | Undecidable> = (approval, voter, now) =>
  refuseNonVoter(approval, voter) ?? refuseSettledVote(approval, voter, 'deny', now);

/** The same checks as for denying; in addition, no one approves their own request, and some approvals require a recent step-up. */
export const refuseApproval: JudgeVote<Denied | Undecidable | Refusal<'STEP_UP_REQUIRED'>> = (approval, voter, now) => {
  const stranger = refuseNonVoter(approval, voter) ?? refuseOwnRequest(approval, voter);
  if (stranger) return stranger;
  if (approval.step_up && !voter.stepped_up) return buildRefusal('STEP_UP_REQUIRED');
  return refuseSettledVote(approval, voter, 'approve', now);
};
