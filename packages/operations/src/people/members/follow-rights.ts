import { lockDelegationsOf, noteBacking } from '@svc/postgres/agents/delegations/backing.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { type Losing, withdrawUnbacked } from './withdraw-unbacked.ts';

/** How many approvals were withdrawn, and how many delegations hold no more. */
export type Followed = { readonly approvals: number; readonly delegations: number };

/**
 * After what people may do has changed, or they left: what rests on it follows, in the same transaction. Delegations are held first, then the
 * epochs of agents, which writing of delegations holds, and approvals last: the order of whatever stops, ends or brings back an agent.
 */
export const followRights = async (change: Change<'approval.cancelled'>, losing: Losing): Promise<Followed> => {
  const { tx } = change;
  const { scope, userIds } = losing;
  await inWholeOrganization(tx, scope, () => lockDelegationsOf(tx, scope.organization_id, userIds));
  const delegations = await inWholeOrganization(tx, scope, () => noteBacking(tx, scope.organization_id, userIds));
  const approvals = await withdrawUnbacked(change, losing);
  return { approvals, delegations };
};
