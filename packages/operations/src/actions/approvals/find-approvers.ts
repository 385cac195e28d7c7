import type { Approver } from '@svc/contract/actions/approval-shapes.ts';
import { isRequestedApprover } from '@svc/domain/actions/approvals/quorum.ts';
import { standsHandedTo } from '@svc/domain/actions/approvals/separation.ts';
import { findApproval, type LockedApproval } from '@svc/postgres/actions/approvals/approval-decisions.ts';
import { type JudgedApprover, listPossibleApprovers } from '@svc/postgres/actions/approvals/exclusions.ts';
import { listCastVotes } from '@svc/postgres/actions/approvals/votes.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { readUserNames } from '@svc/postgres/people/read-user-names.ts';

const BEHIND = { REQUEST: 'BEHIND_REQUEST', AGENT: 'BEHIND_AGENT' } as const;

const becauseOf = (person: JudgedApprover, voted: ReadonlySet<string>, excluded: ReadonlyMap<string, 'REQUEST' | 'AGENT'>) => {
  if (person.excludedBecause !== null) return BEHIND[person.excludedBecause];
  if (voted.has(person.user_id)) return 'VOTED';
  return standsHandedTo(person.handed_to, excluded) ? 'REASSIGNED' : null;
};

const isDecider = (approval: LockedApproval, { user_id, role, stands_for }: JudgedApprover): boolean =>
  isRequestedApprover(approval, { user_id, role, ...(stands_for === undefined ? {} : { stands_for }) });

/** Lists the people who are asked for an approval; undefined if there is no such approval. */
export const findApprovers = async (tx: TenantTransaction, organizationId: string, approvalId: string): Promise<Approver[] | undefined> => {
  const approval = await findApproval(tx, organizationId, approvalId);
  if (approval === undefined) return undefined;
  const possible = await listPossibleApprovers(tx, approvalId);
  const excluded = new Map(
    possible.flatMap(({ user_id, excludedBecause }) => (excludedBecause === null ? [] : [[user_id, excludedBecause] as const])),
  );
  const voted = new Set((await listCastVotes(tx, organizationId, approval)).map(({ user_id }) => user_id));
  const people = possible.filter((person) => isDecider(approval, person));
  const names = await readUserNames(
    tx,
    people.map(({ user_id }) => user_id),
  );
  return people.map((person) => {
    const because = becauseOf(person, voted, excluded);
    const { user_id, role } = person;
    return { user_id, user_name: names.get(user_id) ?? user_id, role: role?.name ?? null, may_decide: because === null, because };
  });
};
