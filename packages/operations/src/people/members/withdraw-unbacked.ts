import { LIMITS } from '@svc/contract/tables/limits.ts';
import { findExclusions } from '@svc/postgres/actions/approvals/exclusions.ts';
import { type GrantedApproval, lockApprovalsByVoter } from '@svc/postgres/actions/approvals/granted-approvals.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantScope } from '@svc/postgres/connection/in-tenant.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { recountVotes } from '../../actions/approvals/recount-votes.ts';

export type Losing = { readonly scope: TenantScope; readonly userIds: readonly string[]; readonly now: Date };

const PAGE = LIMITS.members.derivedMax;

const REASON = 'The person who created it lost the permission.';

/**
 * True if a vote that did not count when it was given could count now: another person's, or one on behalf of a person on the requester's
 * side.
 */
const restsOnOthers = ({ approvers, approved_by }: GrantedApproval): boolean =>
  approvers.some(({ user_id, stands_for = [] }) => !approved_by.includes(user_id) || stands_for.length > 0);

/**
 * Counts unused approvals again with current roles after people lost permissions, and withdraws those no longer granted. Works page by
 * page; each is locked until the change ends. Returns the number of withdrawn ones.
 */
export const withdrawUnbacked = async (change: Change<'approval.cancelled'>, { scope, userIds, now }: Losing): Promise<number> => {
  const { tx } = change;
  const { organization_id } = scope;
  return inWholeOrganization(tx, scope, async () => {
    let withdrawn = 0;
    for (let after = '', isFull = true; isFull; ) {
      const given = await lockApprovalsByVoter(tx, organization_id, userIds, { after, limit: PAGE });
      const readExclusions = async (approval: GrantedApproval) => (restsOnOthers(approval) ? findExclusions(tx, approval.id) : undefined);
      withdrawn += await recountVotes(change, organization_id, given, { reason: REASON, now, exclusionsOf: readExclusions });
      isFull = given.length === PAGE;
      after = given.at(-1)?.id ?? after;
    }
    return withdrawn;
  });
};
