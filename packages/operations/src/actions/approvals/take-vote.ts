import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import type { JudgeVote, Voter } from '@svc/domain/actions/approvals/vote-refusal.ts';
import {
  type CastVote,
  findRequesters,
  insertVote,
  type LockedApproval,
  listCastVotes,
  lockApproval,
} from '@svc/postgres/actions/approvals/approval-decisions.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { readInTenant, type TenantScope, type TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { holdStaff } from '@svc/postgres/people/members/staff.ts';
import { findRoleOf } from '@svc/postgres/people/roles.ts';

export type Ballot = {
  readonly scope: TenantScope;
  readonly approvalId: string;
  /** Whose vote it is; the role is read when it is cast. */
  readonly voter: Omit<Voter, 'role'>;
  readonly comment: string | null;
  readonly now: Date;
  /** See `readRequesters`. */
  readonly requesters: ReadonlySet<string>;
};

export type TakenVote = { readonly approval: LockedApproval; readonly votes: readonly CastVote[] };

/** Every vote, as the event of the decision that they came to tells them. */
export const toldVotes = (votes: readonly CastVote[]) =>
  votes.map(({ user_id, vote, comment, voted_at }) => ({ user_id, vote, comment, voted_at }));

/** Who asked never changes, so it is read before the vote, over the whole organization whatever the caller is limited to. */
export const readRequesters = (database: Database, scope: TenantScope, approvalId: string): Promise<ReadonlySet<string>> =>
  readInTenant(database, { organization_id: scope.organization_id }, (tx) => findRequesters(tx, scope.organization_id, approvalId));

/** Holds the approval and what people may do, judges the vote by what is true then, and writes it down. Answers every vote with it. */
export const takeVote = async <R extends Refusal>(
  tx: TenantTransaction,
  ballot: Ballot,
  vote: CastVote['vote'],
  judge: JudgeVote<R>,
): Promise<TakenVote | R | Refusal<'NOT_FOUND'>> => {
  const { organization_id } = ballot.scope;
  await holdStaff(tx, organization_id);
  const approval = await lockApproval(tx, organization_id, ballot.approvalId);
  if (!approval) return refusal('NOT_FOUND');
  const before = await listCastVotes(tx, organization_id, approval);
  const role = await findRoleOf(tx, organization_id, ballot.voter.id);
  const votedOn = { ...approval, requesters: ballot.requesters, voters: new Set(before.map((cast) => cast.user_id)) };
  const refused = judge(votedOn, { ...ballot.voter, role }, ballot.now);
  if (refused) return refused;
  const cast = { user_id: ballot.voter.id, vote, comment: ballot.comment };
  await insertVote(tx, organization_id, { ...cast, approval_id: approval.id, voted_at: ballot.now });
  return { approval, votes: [...before, { ...cast, voted_at: ballot.now.toISOString(), role }] };
};
