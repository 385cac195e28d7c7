import { type Refusal, refusal } from '@svc/contract/refusal.ts';
import type { ApprovalStatus, PrincipalType } from '@svc/contract/vocabulary.ts';
import { mayDecide } from './approver-role.ts';

export type Vote = 'APPROVE' | 'DENY';

export type Voter = {
  readonly type: PrincipalType;
  readonly id: string;
  /** The role held now; null when the person is no member any more. */
  readonly role_id: string | null;
  readonly stepped_up: boolean;
};

/** An approval as it stands when the vote is cast. */
export type VotedOn = {
  readonly status: ApprovalStatus;
  readonly expires_at: string;
  readonly approver_roles: readonly string[];
  readonly step_up: boolean;
  /** Who asked, and whoever stands behind that: the maker of the API key that asked. */
  readonly requesters: ReadonlySet<string>;
  /** People who have voted already. */
  readonly voters: ReadonlySet<string>;
};

type Codes = 'PERMISSION_DENIED' | 'STEP_UP_REQUIRED' | 'APPROVAL_EXPIRED' | 'INVALID_STATE_TRANSITION' | 'CONFLICT';

const OPERATIONS: Readonly<Record<Vote, string>> = { APPROVE: 'approve', DENY: 'deny' };

/** Who may vote is a question of the person alone, so it is answered before anything about the state is told. */
const personRefusal = (approval: VotedOn, voter: Voter, vote: Vote): Refusal<Codes> | undefined => {
  if (voter.type !== 'USER') return refusal('PERMISSION_DENIED', 'Only a signed-in person decides on an approval; an API key cannot.');
  if (voter.role_id === null || !mayDecide(voter.role_id, approval.approver_roles)) {
    return refusal('PERMISSION_DENIED', 'This approval asks for another role.', { approver_roles: approval.approver_roles });
  }
  if (vote === 'DENY') return undefined;
  if (approval.requesters.has(voter.id)) return refusal('PERMISSION_DENIED', 'Nobody approves what they asked for themselves.');
  return approval.step_up && !voter.stepped_up ? refusal('STEP_UP_REQUIRED') : undefined;
};

const stateRefusal = ({ status, expires_at }: VotedOn, vote: Vote, now: Date): Refusal<Codes> | undefined => {
  const ranOut = (status === 'PENDING' || status === 'APPROVED') && Date.parse(expires_at) <= now.getTime();
  if (status === 'EXPIRED' || ranOut) return refusal('APPROVAL_EXPIRED', undefined, { expires_at });
  if (status === 'PENDING') return undefined;
  const details = { operation: OPERATIONS[vote], from: status, allowed_from: ['PENDING'] };
  return refusal('INVALID_STATE_TRANSITION', 'The approval has been decided already.', details);
};

/** Why this vote does not count, or undefined when it does: the person, then the state, then that they have voted before. */
export const voteRefusal = (approval: VotedOn, voter: Voter, vote: Vote, now: Date): Refusal<Codes> | undefined =>
  personRefusal(approval, voter, vote) ??
  stateRefusal(approval, vote, now) ??
  (approval.voters.has(voter.id) ? refusal('CONFLICT', 'You have voted on this approval already.') : undefined);
