import { LIMITS } from '@svc/contract/tables/limits.ts';
import { findExclusions } from '@svc/postgres/actions/approvals/exclusions.ts';
import { lockApprovalsByVoter, lockOpenApprovals } from '@svc/postgres/actions/approvals/granted-approvals.ts';
import type { Change, EventActor } from '@svc/postgres/change/change.ts';
import type { TenantScope } from '@svc/postgres/connection/in-tenant.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { findMaker } from '@svc/postgres/people/auth/find-maker.ts';
import { recountVotes } from '../../actions/approvals/recount-votes.ts';

/** A person or API key that takes part in running an agent from now on. */
export type Linked = { readonly scope: TenantScope; readonly agentId: string; readonly by: EventActor; readonly now: Date };

const PAGE = LIMITS.members.derivedMax;

const REASONS = {
  keyed: 'A person who approved it replaced the key of the agent.',
  authorized: 'A person who approved it authorized the agent.',
} as const;

/**
 * Counts again the approvals of an agent that depend on a vote of a person who has just replaced its key or authorized it, and cancels
 * those that are no longer granted. A concurrent vote is either first and counted, or later and refused.
 */
export const withdrawOwnVotes = async (
  change: Change<'approval.cancelled'>,
  { scope, agentId, by, now }: Linked,
  why: keyof typeof REASONS,
): Promise<void> => {
  const { tx } = change;
  const reason = REASONS[why];
  const { organization_id } = scope;
  await inWholeOrganization(tx, scope, async () => {
    const person = await findMaker(tx, organization_id, by);
    if (person === undefined) return;
    await lockOpenApprovals(tx, organization_id, agentId);
    for (let after = '', isFull = true; isFull; ) {
      const given = await lockApprovalsByVoter(tx, organization_id, [person], { after, limit: PAGE, agentId });
      await recountVotes(change, organization_id, given, { reason, now, exclusionsOf: ({ id }) => findExclusions(tx, id) });
      isFull = given.length === PAGE;
      after = given.at(-1)?.id ?? after;
    }
  });
};
