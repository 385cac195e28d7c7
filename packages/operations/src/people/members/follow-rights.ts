import { lockDelegationsByPerson, noteBacking } from '@svc/postgres/agents/delegations/backing.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { type PermissionLoss, withdrawInvalidApprovals } from './withdraw-invalid-approvals.ts';

/** Number of withdrawn approvals, and of delegations that became invalid. */
export type Followed = { readonly approvals: number; readonly delegations: number };

/**
 * Updates what depends on permissions after people lost some or left, in the same transaction. Locks delegations first, then the epochs of
 * agents, which writing delegations locks, and approvals last: the order of every operation that stops, ends or restores an agent.
 */
export const applyPermissionLoss = async (change: Change<'approval.cancelled'>, losing: PermissionLoss): Promise<Followed> => {
  const { tx } = change;
  const { scope, userIds } = losing;
  await inWholeOrganization(tx, scope, () => lockDelegationsByPerson(tx, scope.organization_id, userIds));
  const delegations = await inWholeOrganization(tx, scope, () => noteBacking(tx, scope.organization_id, userIds));
  const approvals = await withdrawInvalidApprovals(change, losing);
  return { approvals, delegations };
};
