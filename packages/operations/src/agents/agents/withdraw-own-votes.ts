import { LIMITS } from '@svc/contract/tables/limits.ts';
import { countApprovers, withoutRequesters } from '@svc/domain/actions/approvals/quorum.ts';
import { findRequesters } from '@svc/postgres/actions/approvals/approval-decisions.ts';
import { type GivenApproval, holdOpenOf, lockGivenBy } from '@svc/postgres/actions/approvals/given-approvals.ts';
import type { Actor, Change } from '@svc/postgres/change/change.ts';
import type { TenantScope } from '@svc/postgres/connection/in-tenant.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { findMaker } from '@svc/postgres/people/auth/find-maker.ts';
import { withdrawGiven } from '../../actions/approvals/withdraw-given.ts';

export type TakingOver = { readonly scope: TenantScope; readonly agentId: string; readonly by: Actor; readonly now: Date };

const PAGE = LIMITS.members.derivedMax;
const REASON = 'Whoever gave it put a key in the place of the agent’s.';

/**
 * After somebody put a key in the place of an agent's: what it was given and has not used is counted anew without their vote, since they could
 * use now what they approved themselves. A vote that is cast at this moment comes before, and is counted, or after, and finds who it is.
 */
export const withdrawOwnVotes = async (change: Change<'approval.cancelled'>, { scope, agentId, by, now }: TakingOver): Promise<void> => {
  const { tx } = change;
  const { organization_id } = scope;
  await inWholeOrganization(tx, scope, async () => {
    const person = await findMaker(tx, organization_id, by);
    if (person === undefined) return;
    await holdOpenOf(tx, organization_id, agentId);
    for (let after = '', isFull = true; isFull; ) {
      const given = await lockGivenBy(tx, organization_id, [person], { after, limit: PAGE, agentId });
      const own: GivenApproval[] = [];
      for (const approval of given) {
        const requesters = await findRequesters(tx, organization_id, approval.id);
        if (!countApprovers(approval, withoutRequesters(approval.approvers, requesters)).granted) own.push(approval);
      }
      await withdrawGiven(change, organization_id, own, { reason: REASON, now });
      isFull = given.length === PAGE;
      after = given.at(-1)?.id ?? after;
    }
  });
};
