import { countApprovers } from '@svc/domain/actions/approvals/quorum.ts';
import { removeExcluded, resolveSeparation } from '@svc/domain/actions/approvals/separation.ts';
import { type Exclusions, NO_ONE_EXCLUDED } from '@svc/postgres/actions/approvals/exclusions.ts';
import { type GrantedApproval, keepGrantedApprovals } from '@svc/postgres/actions/approvals/granted-approvals.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { withdrawUnusedApprovals } from './withdraw-unused-approvals.ts';

type Recounting = {
  readonly reason: string;
  readonly now: Date;
  /** Returns the excluded people; undefined if only the roles of the voters are counted again. */
  readonly exclusionsOf: (approval: GrantedApproval) => Promise<Exclusions | undefined>;
};

/**
 * Counts the votes of given approvals again. Cancels those that are no longer granted, and records whose votes the others rest on. Returns the
 * number of cancelled ones.
 */
export const recountVotes = async (
  change: Change<'approval.cancelled'>,
  organizationId: string,
  given: readonly GrantedApproval[],
  { reason, now, exclusionsOf }: Recounting,
): Promise<number> => {
  const cancelled: GrantedApproval[] = [];
  for (const approval of given) {
    const { excluded, linked } = (await exclusionsOf(approval)) ?? NO_ONE_EXCLUDED;
    const { granted, people } = countApprovers(approval, removeExcluded(approval.approvers, excluded));
    if (!granted) {
      cancelled.push(approval);
    } else if (approval.approved_by.some((id) => !people.includes(id))) {
      const separation = resolveSeparation(approval, approval.approvers, linked);
      await keepGrantedApprovals(change.tx, organizationId, approval.id, { approved_by: [...people], separation });
    }
  }
  await withdrawUnusedApprovals(change, organizationId, cancelled, { reason, now });
  return cancelled.length;
};
