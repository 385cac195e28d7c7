import type { Decidable } from '@svc/contract/actions/approval-shapes.ts';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import { ERRORS } from '@svc/contract/tables/errors.ts';
import { refuseApproval, refuseDenial } from '@svc/domain/actions/approvals/vote-refusal.ts';
import { findApproval, type LockedApproval, listPendingApprovals } from '@svc/postgres/actions/approvals/approval-decisions.ts';
import { findExclusionsOfEach, NO_ONE_EXCLUDED } from '@svc/postgres/actions/approvals/exclusions.ts';
import { findHandovers, type Handovers, listReassigned } from '@svc/postgres/actions/approvals/handovers.ts';
import { listVotes } from '@svc/postgres/actions/approvals/votes.ts';
import type { TenantScope, TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findMemberRole } from '@svc/postgres/people/roles.ts';
import { type Ballot, toVoteInput } from './take-vote.ts';

/** A person who may vote, and the permissions of the call. */
export type PossibleVoter = {
  readonly scope: TenantScope;
  readonly voter: Omit<Ballot['voter'], 'stepped_up'>;
  readonly holds: (permission: 'approval:approve' | 'approval:deny') => boolean;
  readonly now: Date;
};

const NOT_REASSIGNED: Handovers = { stands_for: [], handed_to: null, total: 0 };

const lacks = (permission: string): Decidable => ({
  may_approve: false,
  may_deny: false,
  code: 'PERMISSION_DENIED',
  reason: `Deciding requires the permission ${permission}.`,
});

const getReason = (refused: Refusal): string => refused.message ?? ERRORS[refused.refused].message;

const decidableOf = (held: ReturnType<typeof toVoteInput>, { holds, now }: PossibleVoter): Decidable => {
  if (!holds('approval:approve') && !holds('approval:deny')) return lacks('approval:approve');
  // Re-authentication happens when the vote is cast.
  const voter = { ...held.voter, stepped_up: true };
  const refused = refuseApproval(held.votedOn, voter, now);
  const may_deny = holds('approval:deny') && refuseDenial(held.votedOn, voter, now) === undefined;
  if (refused) return { may_approve: false, may_deny, code: refused.refused, reason: getReason(refused) };
  return holds('approval:approve') ? { may_approve: true, may_deny, code: null, reason: null } : { ...lacks('approval:approve'), may_deny };
};

/** Judges what a person may do about each of these approvals now. Takes no lock: it may change until they act. */
const judgeEach = async (
  tx: TenantTransaction,
  approvals: readonly LockedApproval[],
  person: PossibleVoter,
): Promise<ReadonlyMap<string, Decidable>> => {
  const { organization_id } = person.scope;
  const ids = approvals.map(({ id }) => id);
  const [voter, role] = [{ ...person.voter, stepped_up: true }, await findMemberRole(tx, organization_id, person.voter.id)];
  const votes = Map.groupBy(ids.length === 0 ? [] : await listVotes(tx, organization_id, ids), ({ approval_id }) => approval_id);
  const exclusions = await findExclusionsOfEach(tx, ids);
  const reassigned = await listReassigned(tx, organization_id, ids);
  const judged = new Map<string, Decidable>();
  for (const approval of approvals) {
    const cast = (votes.get(approval.id) ?? []).filter(
      ({ wording, withdrawn_at }) => wording === approval.wording && withdrawn_at === null,
    );
    const handovers = reassigned.has(approval.id) ? await findHandovers(tx, organization_id, approval.id, person.voter.id) : NOT_REASSIGNED;
    const facts = {
      votes: cast.map((vote) => ({ ...vote, stands_for: vote.stands_for ?? [] })),
      role,
      handovers,
      exclusions: exclusions.get(approval.id) ?? NO_ONE_EXCLUDED,
    };
    judged.set(approval.id, decidableOf(toVoteInput(approval, voter, facts), person));
  }
  return judged;
};

/** Judges what a person may do about one approval; undefined if there is none. */
export const judgeDecidable = async (tx: TenantTransaction, approvalId: string, person: PossibleVoter): Promise<Decidable | undefined> => {
  const approval = await findApproval(tx, person.scope.organization_id, approvalId);
  return approval && (await judgeEach(tx, [approval], person)).get(approvalId);
};

/** Finds the pending approvals, among the oldest `lookedAtMax`, that a person may decide on. */
export const findDecidable = async (
  tx: TenantTransaction,
  lookedAtMax: number,
  person: PossibleVoter,
): Promise<ReadonlyMap<string, Decidable>> => {
  const pending = await listPendingApprovals(tx, person.scope.organization_id, lookedAtMax);
  const judged = await judgeEach(tx, pending, person);
  return new Map([...judged].filter(([, { may_approve, may_deny }]) => may_approve || may_deny));
};
