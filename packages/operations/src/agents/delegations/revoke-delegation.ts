import type { Delegation } from '@svc/contract/agents/delegations/shapes.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { takeDelegation } from '@svc/postgres/agents/delegations/change-delegations.ts';
import { endBelow, endDelegation } from '@svc/postgres/agents/delegations/end-delegations.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantScope } from '@svc/postgres/connection/in-tenant.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { recordRevoked } from './tell-of-ended.ts';

/** Maximum number of delegations that end in one change. */
const BATCH_MAX = 1_000;

export type RevokeDelegationInput = {
  readonly scope: TenantScope;
  readonly delegationId: string;
  readonly reason: string;
  readonly now: Date;
};

/**
 * Revokes a delegation and everything below it: no decision that starts after the commit relies on any of it. For a large tree,
 * `recordRevokedDescendants` records the rest.
 */
export const revokeDelegation = async (
  { tx, emit }: Change<'delegation.revoked'>,
  { scope, delegationId, reason, now }: RevokeDelegationInput,
): Promise<Delegation | Refusal<'NOT_FOUND' | 'INVALID_STATE_TRANSITION'>> => {
  const { organization_id } = scope;
  const taken = await takeDelegation(tx, organization_id, delegationId, now, true);
  if (!taken) return buildRefusal('NOT_FOUND');
  const from = taken.delegation.status;
  const end = { status: 'REVOKED', reason, now } as const;
  const ended = await inWholeOrganization(tx, scope, () => endDelegation(tx, organization_id, delegationId, BATCH_MAX, end));
  if (ended.length === 0) {
    const details = { operation: 'revoke', from, allowed_from: ['ACTIVE'] };
    return buildRefusal('INVALID_STATE_TRANSITION', `The delegation is ${from}, which is final.`, details);
  }
  recordRevoked(emit, ended, { reason });
  return (await takeDelegation(tx, organization_id, delegationId, now, false))?.delegation ?? buildRefusal('NOT_FOUND');
};

/** Records the end of remaining delegations below a revoked one, a batch at a time. Returns true if there may be more. */
export const recordRevokedDescendants = async (
  { tx, emit }: Change<'delegation.revoked'>,
  { scope, now }: Pick<RevokeDelegationInput, 'scope' | 'now'>,
): Promise<boolean> => {
  const ended = await inWholeOrganization(tx, scope, () => endBelow(tx, scope.organization_id, now, BATCH_MAX, 'REVOKED'));
  recordRevoked(emit, ended ?? []);
  return ended !== undefined;
};
