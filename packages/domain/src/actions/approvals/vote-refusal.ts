import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import type { ApprovalStatus, PrincipalType } from '@svc/contract/tables/vocabulary.ts';
import type { Role } from '../../people/roles/role.ts';
import { mayDecide } from './approver-role.ts';

export type Voter = {
  readonly type: PrincipalType;
  readonly id: string;
  /** The role held now; null when the person is no member any more. */
  readonly role: Role | null;
  readonly stepped_up: boolean;
};

/** An approval as it stands when the vote is cast. */
export type VotedOn = {
  readonly status: ApprovalStatus;
  readonly expires_at: string;
  readonly approver_roles: readonly string[];
  readonly step_up: boolean;
  /** Who asked, and whoever stands behind that: the maker of the API key that asked, the person whose delegation it was asked under. */
  readonly requesters: ReadonlySet<string>;
  /** People who have voted already. */
  readonly voters: ReadonlySet<string>;
};

type Denied = Refusal<'PERMISSION_DENIED'>;
type Undecidable = Refusal<'APPROVAL_EXPIRED' | 'INVALID_STATE_TRANSITION' | 'CONFLICT'>;

/** A vote that does not count, by code; undefined when it does. */
export type JudgeVote<R extends Refusal> = (approval: VotedOn, voter: Voter, now: Date) => R | undefined;

const strangerRefusal = ({ approver_roles }: VotedOn, { type, role }: Voter): Denied | undefined => {
  if (type !== 'USER') return refusal('PERMISSION_DENIED', 'Only a signed-in person decides on an approval; an API key cannot.');
  if (role !== null && mayDecide(role, approver_roles)) return undefined;
  return refusal('PERMISSION_DENIED', 'This approval asks for another role.', { approver_roles });
};

const stateRefusal = (approval: VotedOn, voter: Voter, operation: string, now: Date): Undecidable | undefined => {
  const { status, expires_at, voters } = approval;
  const ranOut = (status === 'PENDING' || status === 'APPROVED') && Date.parse(expires_at) <= now.getTime();
  if (status === 'EXPIRED' || ranOut) return refusal('APPROVAL_EXPIRED', undefined, { expires_at });
  if (status !== 'PENDING') {
    const details = { operation, from: status, allowed_from: ['PENDING'] };
    return refusal('INVALID_STATE_TRANSITION', 'The approval has been decided already.', details);
  }
  return voters.has(voter.id) ? refusal('CONFLICT', 'You have voted on this approval already.') : undefined;
};

/** Who may deny is a question of the person alone, so it is answered before anything about the state is told. */
export const denyRefusal: JudgeVote<Denied | Undecidable> = (approval, voter, now) =>
  strangerRefusal(approval, voter) ?? stateRefusal(approval, voter, 'deny', now);

/** As for denying; besides, nobody approves what they asked for, and some approvals want a person who has just proved who they are. */
export const approveRefusal: JudgeVote<Denied | Undecidable | Refusal<'STEP_UP_REQUIRED'>> = (approval, voter, now) => {
  const stranger = strangerRefusal(approval, voter);
  if (stranger) return stranger;
  if (approval.requesters.has(voter.id))
    return refusal('PERMISSION_DENIED', 'Nobody approves what they asked for themselves, nor what is asked under their own delegation.');
  if (approval.step_up && !voter.stepped_up) return refusal('STEP_UP_REQUIRED');
  return stateRefusal(approval, voter, 'approve', now);
};
