import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { countApprovers } from '@svc/domain/actions/approvals/quorum.ts';
import { type Excluded, removeExcluded, standsHandedTo } from '@svc/domain/actions/approvals/separation.ts';
import type { JudgeVote, VotedOn, Voter } from '@svc/domain/actions/approvals/vote-refusal.ts';
import { findApproval, type LockedApproval, lockApproval } from '@svc/postgres/actions/approvals/approval-decisions.ts';
import { type Exclusions, findExclusions } from '@svc/postgres/actions/approvals/exclusions.ts';
import { findHandovers, type Handovers, returnHandover } from '@svc/postgres/actions/approvals/handovers.ts';
import { type CastVote, insertVote, listCastVotes } from '@svc/postgres/actions/approvals/votes.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change, EventActor } from '@svc/postgres/change/change.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { readInTenant, type TenantScope, type TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findMaker } from '@svc/postgres/people/auth/find-maker.ts';
import { holdStaff } from '@svc/postgres/people/members/staff.ts';
import { findMemberRole } from '@svc/postgres/people/roles.ts';

export type Ballot = {
  readonly scope: TenantScope;
  readonly approvalId: string;
  /** The voter; for an API key, the person who created it. The role and reassignments are read when the vote is cast. */
  readonly voter: Omit<Voter, 'role' | 'stands_for' | 'handed_over'>;
  readonly comment: string | null;
  readonly now: Date;
};

export type TakenVote = { readonly approval: LockedApproval; readonly votes: readonly CastVote[] };

/** An approval that is locked until the change ends, and the facts that votes are judged by. */
export type LockedVote = {
  readonly approval: LockedApproval;
  readonly votes: readonly CastVote[];
  readonly votedOn: VotedOn;
  readonly voter: Voter;
  readonly handovers: Handovers;
  /** Everyone behind the request or the agent, whether or not they may vote. */
  readonly linked: Excluded;
};

/** Formats every vote for the event of the decision. */
export const formatVotes = (votes: readonly CastVote[]) =>
  votes.map(({ user_id, vote, comment, voted_at }) => ({ user_id, vote, comment, voted_at }));

/** Returns the person that the caller acts for, by session or by key. Reads the whole organization, regardless of the caller's scope. */
export const readPerson = async (database: Database, scope: TenantScope, caller: EventActor): Promise<string> => {
  if (caller.type === 'USER') return caller.id;
  const { organization_id } = scope;
  return (await readInTenant(database, { organization_id }, (tx) => findMaker(tx, organization_id, caller))) ?? caller.id;
};

/** Facts that a vote of one person on one approval is judged by. */
export type VoteFacts = {
  readonly votes: readonly CastVote[];
  readonly role: Voter['role'];
  readonly handovers: Handovers;
  readonly exclusions: Exclusions;
};

/** An approval and a voter in the form that the rules of voting judge. */
export const toVoteInput = (
  approval: LockedApproval,
  voter: Ballot['voter'],
  { votes, role, handovers, exclusions: { excluded, linked } }: VoteFacts,
): LockedVote => {
  const { granted, people } = countApprovers(approval, removeExcluded(votes, excluded));
  // Votes that are enough by now, because a person may vote again, grant the approval when any of their people confirms it.
  const votedOn = { ...approval, excluded, voters: new Set(granted ? [] : people) };
  // A person who is excluded has no one vote on their behalf.
  const stands_for = handovers.stands_for.filter(({ user_id }) => !excluded.has(user_id));
  const handed_over = standsHandedTo(handovers.handed_to, excluded);
  return { approval, votes, votedOn, voter: { ...voter, role, stands_for, handed_over }, handovers, linked };
};

const withVotes = async (tx: TenantTransaction, ballot: Ballot, approval: LockedApproval): Promise<LockedVote> => {
  const { organization_id } = ballot.scope;
  const votes = await listCastVotes(tx, organization_id, approval);
  const role = await findMemberRole(tx, organization_id, ballot.voter.id);
  const handovers = await findHandovers(tx, organization_id, approval.id, ballot.voter.id);
  return toVoteInput(approval, ballot.voter, { votes, role, handovers, exclusions: await findExclusions(tx, approval.id) });
};

/** Locks the approval and the permissions of people, so that votes are judged by the current state. */
export const holdApproval = async (tx: TenantTransaction, ballot: Ballot): Promise<LockedVote | Refusal<'NOT_FOUND'>> => {
  await holdStaff(tx, ballot.scope.organization_id);
  const approval = await lockApproval(tx, ballot.scope.organization_id, ballot.approvalId);
  return approval ? withVotes(tx, ballot, approval) : buildRefusal('NOT_FOUND');
};

/** Reads the same without locks: it may change at any moment. */
export const readApproval = async (tx: TenantTransaction, ballot: Ballot): Promise<LockedVote | Refusal<'NOT_FOUND'>> => {
  const approval = await findApproval(tx, ballot.scope.organization_id, ballot.approvalId);
  return approval ? withVotes(tx, ballot, approval) : buildRefusal('NOT_FOUND');
};

/** Stores a vote on a wording and records its event. Returns every vote on that wording, including this one. */
export const castVote = async (
  { tx, emit }: Change<'approval.vote_cast'>,
  { scope, voter, comment, now }: Ballot,
  { approval, votes, voter: { role, stands_for = [] }, handovers }: Pick<LockedVote, 'approval' | 'votes' | 'voter' | 'handovers'>,
  vote: CastVote['vote'],
): Promise<TakenVote> => {
  const { id: approval_id, action_id, agent_id, wording } = approval;
  await insertVote(tx, scope.organization_id, { approval_id, user_id: voter.id, vote, wording, comment, voted_at: now });
  // The target of their reassignment can no longer vote, else they could not either.
  if (handovers.handed_to !== null) await returnHandover(tx, scope.organization_id, { approval_id, from_user_id: voter.id }, now);
  const instead_of = stands_for.map(({ user_id }) => user_id);
  emit('approval.vote_cast', { ...about.approval(approval), data: { action_id, agent_id, vote, wording, comment, instead_of } });
  const others = votes.filter(({ user_id }) => user_id !== voter.id);
  return { approval, votes: [...others, { user_id: voter.id, vote, comment, voted_at: now.toISOString(), role, stands_for }] };
};

/** Judges a vote by the current state and stores it. Returns every vote, including this one. */
export const takeVote = async <R extends Refusal>(
  change: Change<'approval.vote_cast'>,
  ballot: Ballot,
  vote: CastVote['vote'],
  judge: JudgeVote<R>,
): Promise<TakenVote | R | Refusal<'NOT_FOUND'>> => {
  const held = await holdApproval(change.tx, ballot);
  if (isRefusal(held)) return held;
  return judge(held.votedOn, held.voter, ballot.now) ?? castVote(change, ballot, held, vote);
};
