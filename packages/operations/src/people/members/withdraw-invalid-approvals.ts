import { LIMITS } from '@svc/contract/tables/limits.ts';
import { findExclusions } from '@svc/postgres/actions/approvals/exclusions.ts';
import { type GrantedApproval, lockApprovalsByVoter } from '@svc/postgres/actions/approvals/granted-approvals.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantScope } from '@svc/postgres/connection/in-tenant.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { recountVotes } from '../../actions/approvals/recount-votes.ts';

export type PermissionLoss = { readonly scope: TenantScope; readonly userIds: readonly string[]; readonly now: Date };

const PAGE = LIMITS.members.derivedMax;

const REASON = 'A person who approved it lost the permission.';

/**
 * True if a vote that did not count when it was cast could count now: a vote of another approver, or one on behalf of a person on the
 * requester's side.
 */
const mayCountOtherVotes = ({ approvers, approved_by }: GrantedApproval): boolean =>
  approvers.some(({ user_id, stands_for = [] }) => !approved_by.includes(user_id) || stands_for.length > 0);

/**
 * Recounts the votes of unused approvals with the current roles after users lost permissions, and withdraws approvals without a quorum.
 * Works in pages; the rows stay locked until the transaction ends. Returns the number of withdrawn approvals.
 */
export const withdrawInvalidApprovals = async (
  change: Change<'approval.cancelled'>,
  { scope, userIds, now }: PermissionLoss,
): Promise<number> => {
  const { tx } = change;
  const { organization_id } = scope;
  return inWholeOrganization(tx, scope, async () => {
    let withdrawn = 0;
    for (let after = '', isFull = true; isFull; ) {
      const approvals = await lockApprovalsByVoter(tx, organization_id, userIds, { after, limit: PAGE });
      const readExclusions = async (approval: GrantedApproval) =>
        mayCountOtherVotes(approval) ? findExclusions(tx, approval.id) : undefined;
      withdrawn += await recountVotes(change, organization_id, approvals, { reason: REASON, now, exclusionsOf: readExclusions });
      isFull = approvals.length === PAGE;
      after = approvals.at(-1)?.id ?? after;
    }
    return withdrawn;
  });
};
