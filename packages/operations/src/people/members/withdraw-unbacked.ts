import { LIMITS } from '@svc/contract/tables/limits.ts';
import { countApprovers } from '@svc/domain/actions/approvals/quorum.ts';
import { type GivenApproval, lockGivenBy, withdrawGiven } from '@svc/postgres/actions/approvals/given-approvals.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantScope } from '@svc/postgres/connection/in-tenant.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';

export type Losing = { readonly scope: TenantScope; readonly userIds: readonly string[]; readonly now: Date };

const PAGE = LIMITS.members.derivedMax;

const tellWithdrawn = (emit: Change<'approval.cancelled'>['emit'], approval: GivenApproval): void => {
  const { action_id, agent_id, votes } = approval;
  const states = { before: { status: 'APPROVED' }, after: { status: 'CANCELLED' } };
  const reason = 'Whoever gave it lost the right to.';
  emit('approval.cancelled', { ...about.approval(approval), data: { action_id, agent_id, votes, ...states, reason } });
};

/**
 * After people lost what they had: approvals that were given and not used yet are counted anew with the roles of now, and those that do not
 * stand any more are withdrawn. A page at a time, each held until the change ends. Answers how many were withdrawn.
 */
export const withdrawUnbacked = async ({ tx, emit }: Change<'approval.cancelled'>, { scope, userIds, now }: Losing): Promise<number> => {
  const { organization_id } = scope;
  return inWholeOrganization(tx, scope, async () => {
    let withdrawn = 0;
    for (let after = '', isFull = true; isFull; ) {
      const given = await lockGivenBy(tx, organization_id, userIds, { after, limit: PAGE });
      const unbacked = given.filter((approval) => !countApprovers(approval, approval.approvers).granted);
      if (unbacked.length > 0)
        await withdrawGiven(
          tx,
          organization_id,
          unbacked.map(({ id }) => id),
          now,
        );
      for (const approval of unbacked) tellWithdrawn(emit, approval);
      withdrawn += unbacked.length;
      isFull = given.length === PAGE;
      after = given.at(-1)?.id ?? after;
    }
    return withdrawn;
  });
};
