import type { Delegation, DelegationExtension } from '@svc/contract/agents/delegations/shapes.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { findChainFault } from '@svc/domain/agents/delegations/chain-standing.ts';
import { chainsToNarrow } from '@svc/domain/agents/delegations/chains-to-narrow.ts';
import type { AuthorityFault, Chain, DelegationBounds } from '@svc/domain/agents/delegations/delegation.ts';
import { findRequestFaults } from '@svc/domain/agents/delegations/delegation-request-faults.ts';
import { refuseEscalation } from '@svc/domain/agents/delegations/escalation-refusal.ts';
import { findExpiryFaults, isLater } from '@svc/domain/agents/delegations/extension-faults.ts';
import { type LockedDelegation, reduceDelegationTo, takeDelegation } from '@svc/postgres/agents/delegations/change-delegations.ts';
import { findDelegationScope } from '@svc/postgres/agents/delegations/lock-parties.ts';
import { takeHeld } from '@svc/postgres/agents/delegations/take-held.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { type Change, type EventActor, type KeptRefusal, keep } from '@svc/postgres/change/change.ts';
import type { TenantScope, TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { findMaker } from '@svc/postgres/people/auth/find-maker.ts';

export type Extending = {
  readonly scope: TenantScope;
  readonly delegationId: string;
  readonly asked: DelegationExtension;
  readonly actor: EventActor;
  readonly now: Date;
};

export type NotExtended = Refusal<
  | 'NOT_FOUND'
  | 'PERMISSION_DENIED'
  | 'VALIDATION_FAILED'
  | 'INVALID_STATE_TRANSITION'
  | 'VERSION_CONFLICT'
  | 'DELEGATION_INVALID'
  | 'DELEGATION_EXPIRED'
>;
type Blocked = KeptRefusal<Refusal<'DELEGATION_ESCALATION'>>;

const fault = (message: string): NotExtended =>
  buildRefusal('VALIDATION_FAILED', 'The body is not valid.', { faults: [{ pointer: '/expires_at', message }] });

/** Returns the ancestors, locked against a change; null for a root. */
const chainAbove = async (
  tx: TenantTransaction,
  { scope, now }: Extending,
  { parent_id, delegator }: Delegation,
): Promise<Chain | null | NotExtended> => {
  if (parent_id === null || delegator.type !== 'AGENT') return null;
  const taking = { organizationId: scope.organization_id, agentId: delegator.id, parentId: parent_id, lock: true };
  const chains = chainsToNarrow(await inWholeOrganization(tx, scope, () => takeHeld(tx, taking)), parent_id, now);
  if ('fault' in chains)
    return buildRefusal('DELEGATION_INVALID', `The chain above is broken: a delegation in it ${chains.fault}.`, {
      delegation_id: chains.delegation_id,
    });
  const [chain] = chains;
  const refused = findChainFault(chain, now);
  return refused ? buildRefusal(refused.code, refused.reason, { delegation_id: refused.delegation_id }) : chain;
};

/** True if the delegation is the caller's own; an API key acts for the person who created it. */
const isOwn = async (tx: TenantTransaction, { scope, actor }: Extending, { delegator }: Delegation): Promise<boolean> =>
  delegator.type === 'AGENT' || delegator.id === (await inWholeOrganization(tx, scope, () => findMaker(tx, scope.organization_id, actor)));

const unfit = ({ asked, now }: Extending, { delegation, bounds }: LockedDelegation, wanted: DelegationBounds): NotExtended | undefined => {
  if (delegation.status !== 'ACTIVE') {
    const details = { operation: 'extend', from: delegation.status, allowed_from: ['ACTIVE'] };
    return buildRefusal('INVALID_STATE_TRANSITION', `The delegation is ${delegation.status}, which is final.`, details);
  }
  if (asked.version !== undefined && asked.version !== delegation.version)
    return buildRefusal('VERSION_CONFLICT', 'The delegation was changed by another request in the meantime.', {
      version: delegation.version,
    });
  const faults = findRequestFaults({ expires_at: asked.expires_at }, wanted, now);
  if (faults.length > 0) return buildRefusal('VALIDATION_FAILED', 'The body is not valid.', { faults });
  return isLater(wanted.expires_at, bounds.expires_at)
    ? undefined
    : fault('Must be later than the current expiry. To shorten it, use PATCH.');
};

/** Moves the expiry of an active delegation to a later time. Returns DELEGATION_ESCALATION, recorded, if an ancestor expires earlier. */
export const extendDelegation = async (
  { tx, emit }: Change<'delegation.extended' | 'delegation.escalation_blocked'>,
  extending: Extending,
): Promise<Delegation | NotExtended | Blocked> => {
  const { scope, delegationId, asked, now } = extending;
  const { organization_id } = scope;
  const seen = await takeDelegation(tx, organization_id, delegationId, now, false);
  if (!seen) return buildRefusal('NOT_FOUND');
  // The parent is fixed. Ancestors are locked first, as in every change of a chain.
  const above = await chainAbove(tx, extending, seen.delegation);
  const taken = await takeDelegation(tx, organization_id, delegationId, now, true);
  if (!taken) return buildRefusal('NOT_FOUND');
  const { delegation, bounds } = taken;
  const wanted: DelegationBounds = { ...bounds, expires_at: asked.expires_at };
  const refused = unfit(extending, taken, wanted);
  if (refused) return refused;
  if (isRefusal(above)) return above;
  if (!(await isOwn(tx, extending, delegation))) return buildRefusal('PERMISSION_DENIED', 'A user can extend only their own delegations.');
  const it = about.delegation(delegation, await findDelegationScope(tx, scope, delegation.delegate_agent_id));
  const fields: readonly AuthorityFault[] = findExpiryFaults(above, wanted.expires_at);
  if (fields.length > 0) {
    emit('delegation.escalation_blocked', { ...it, data: { operation: 'extend', fields } });
    return keep(refuseEscalation(delegation.parent_id, fields));
  }
  const extended = await reduceDelegationTo(tx, organization_id, delegation.id, wanted);
  const states = { before: { expires_at: bounds.expires_at }, after: { expires_at: wanted.expires_at } };
  emit('delegation.extended', { ...it, data: { ...states, reason: asked.reason } });
  return extended;
};
