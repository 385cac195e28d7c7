import type { Delegation } from '@svc/contract/agents/delegations/shapes.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { findReductionFaults } from '@svc/domain/agents/delegations/attenuation.ts';
import type { DelegationBounds } from '@svc/domain/agents/delegations/delegation.ts';
import { findRequestFaults } from '@svc/domain/agents/delegations/delegation-request-faults.ts';
import { refuseEscalation } from '@svc/domain/agents/delegations/escalation-refusal.ts';
import { changedBounds, type RequestedBounds } from '@svc/domain/agents/delegations/inherit-bounds.ts';
import { type LockedDelegation, reduceDelegationTo, takeDelegation } from '@svc/postgres/agents/delegations/change-delegations.ts';
import { findDelegationScope } from '@svc/postgres/agents/delegations/lock-parties.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { type Change, type KeptRefusal, keep } from '@svc/postgres/change/change.ts';
import type { TenantScope, TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { getMinIdForTime } from '@svc/program/ids/first-id-since.ts';
import { getConversionAt } from '../../money/fx-rates/exchange-at.ts';
import { type CeilingChange, countPastUses } from './count-past-uses.ts';

export type Reducing = {
  readonly scope: TenantScope;
  readonly delegationId: string;
  readonly asked: RequestedBounds;
  /** The version that the reduction is based on, if the caller states it. */
  readonly version: number | undefined;
  /** The version at the time of the request. */
  readonly seen: number | undefined;
  readonly now: Date;
};

export type NotReduced = Refusal<'NOT_FOUND' | 'VALIDATION_FAILED' | 'INVALID_STATE_TRANSITION' | 'VERSION_CONFLICT' | 'UNPROCESSABLE'>;
type Blocked = KeptRefusal<Refusal<'DELEGATION_ESCALATION'>>;

const differs = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other);

/** Returns the members that a reduction changes, before and after. */
const listChanges = (before: DelegationBounds, after: DelegationBounds) => {
  const names = (Object.keys(after) as (keyof DelegationBounds)[]).filter((name) => differs(before[name], after[name]));
  const picked = (bounds: DelegationBounds) => Object.fromEntries(names.map((name) => [name, bounds[name]]));
  return { isNothing: names.length === 0, data: { before: picked(before), after: picked(after) } };
};

/** True if another change was committed between this request and its lock. The reduction was no widening when it was sent. */
const cameBetween = ({ now, seen }: Reducing, { version, updated_at }: Delegation): boolean =>
  version !== seen || (version > 1 && Date.parse(updated_at) >= now.getTime());

const conflict = ({ version }: Delegation): NotReduced =>
  buildRefusal('VERSION_CONFLICT', 'The delegation was changed by another request in the meantime.', { version });

/** A use of an action that waited for an approval is later than its id states; clocks of gateways may differ. */
const LATER_SECONDS_MAX = POLICY_LIMITS.approval_seconds_max + 3_600;

type CeilingChanged = { readonly delegation: Delegation } & Pick<CeilingChange, 'before' | 'after' | 'exchange'>;

const usedBefore = ({ scope, now }: Reducing, tx: TenantTransaction, { delegation, ...change }: CeilingChanged) => {
  const { window_seconds } = change.after;
  const counts = window_seconds === null ? 0 : now.getTime() - window_seconds * 1000;
  const since = new Date(Math.max(0, Math.max(counts, Date.parse(delegation.created_at)) - LATER_SECONDS_MAX * 1000));
  const past = { organizationId: scope.organization_id, delegationId: delegation.id, firstActionId: getMinIdForTime('action', since) };
  return inWholeOrganization(tx, scope, () => countPastUses(tx, { ...past, ...change }));
};

/** Returns why the delegation cannot be reduced in its current state. */
const unfit = ({ version, asked, now }: Reducing, { delegation }: LockedDelegation, wanted: DelegationBounds): NotReduced | undefined => {
  if (delegation.status !== 'ACTIVE') {
    const details = { operation: 'reduce', from: delegation.status, allowed_from: ['ACTIVE'] };
    return buildRefusal('INVALID_STATE_TRANSITION', `The delegation is ${delegation.status}, which is final.`, details);
  }
  if (version !== undefined && version !== delegation.version) return conflict(delegation);
  const faults = findRequestFaults(asked, wanted, now);
  return faults.length > 0 ? buildRefusal('VALIDATION_FAILED', 'The body is not valid.', { faults }) : undefined;
};

/** Reduces a delegation, never widens it: two concurrent reductions leave what both allow, or the later one gets a conflict. */
export const reduceDelegation = async (
  { tx, emit }: Change<'delegation.reduced' | 'delegation.escalation_blocked'>,
  reducing: Reducing,
): Promise<Delegation | NotReduced | Blocked> => {
  const { scope, delegationId, now } = reducing;
  const taken = await takeDelegation(tx, scope.organization_id, delegationId, now, true);
  if (!taken) return buildRefusal('NOT_FOUND');
  const { delegation, bounds } = taken;
  const wanted = changedBounds(bounds, reducing.asked);
  const refused = unfit(reducing, taken, wanted);
  if (refused) return refused;
  const exchange = await getConversionAt(tx, scope.organization_id, now);
  const fields = findReductionFaults(bounds, wanted, exchange);
  const it = about.delegation(delegation, await findDelegationScope(tx, scope, delegation.delegate_agent_id));
  if (fields.length > 0) {
    if (cameBetween(reducing, delegation)) return conflict(delegation);
    emit('delegation.escalation_blocked', { ...it, data: { operation: 'reduce', fields } });
    return keep(refuseEscalation(delegation.parent_id, fields));
  }
  const changes = listChanges(bounds, wanted);
  if (changes.isNothing) return delegation;
  const reduced = await reduceDelegationTo(tx, scope.organization_id, delegation.id, wanted);
  const counted = await usedBefore(reducing, tx, { delegation, before: bounds.ceiling, after: wanted.ceiling, exchange });
  if (isRefusal(counted)) return counted;
  emit('delegation.reduced', { ...it, data: { ...changes.data, ...(counted === null ? {} : { used_before: counted }) } });
  return reduced;
};
