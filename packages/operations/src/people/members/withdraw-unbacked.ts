import { LIMITS } from '@svc/contract/tables/limits.ts';
import { findExclusions } from '@svc/postgres/actions/approvals/exclusions.ts';
import { type GivenApproval, lockGivenBy } from '@svc/postgres/actions/approvals/given-approvals.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantScope } from '@svc/postgres/connection/in-tenant.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { recountGiven } from '../../actions/approvals/recount-given.ts';

export type Losing = { readonly scope: TenantScope; readonly userIds: readonly string[]; readonly now: Date };

const PAGE = LIMITS.members.derivedMax;

const REASON = 'The person who created it lost the permission.';

/** Whether a vote that did not count when it was given could count now: somebody else's, or one in the stead of whoever speaks for who asked. */
const restsOnOthers = ({ approvers, approved_by }: GivenApproval): boolean =>
  approvers.some(({ user_id, stands_for = [] }) => !approved_by.includes(user_id) || stands_for.length > 0);

/**
 * After people lost what they had: approvals that were given and not used yet are counted anew with the roles of now, and those that do not
 * stand any more are withdrawn. A page at a time, each held until the change ends. Answers how many were withdrawn.
 */
export const withdrawUnbacked = async (change: Change<'approval.cancelled'>, { scope, userIds, now }: Losing): Promise<number> => {
  const { tx } = change;
  const { organization_id } = scope;
  return inWholeOrganization(tx, scope, async () => {
    let withdrawn = 0;
    for (let after = '', isFull = true; isFull; ) {
      const given = await lockGivenBy(tx, organization_id, userIds, { after, limit: PAGE });
      const exclusionsOf = async (approval: GivenApproval) => (restsOnOthers(approval) ? findExclusions(tx, approval.id) : undefined);
      withdrawn += await recountGiven(change, organization_id, given, { reason: REASON, now, exclusionsOf });
      isFull = given.length === PAGE;
      after = given.at(-1)?.id ?? after;
    }
    return withdrawn;
  });
};
