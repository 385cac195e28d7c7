import type { Delegation } from '@svc/contract/agents/delegations/shapes.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { POLICY_LIMITS } from '@svc/contract/tables/policy-limits.ts';
import { askedFaults } from '@svc/domain/agents/delegations/asked-faults.ts';
import { reductionFaults } from '@svc/domain/agents/delegations/attenuation.ts';
import type { Bounds } from '@svc/domain/agents/delegations/delegation.ts';
import { changedBounds } from '@svc/domain/agents/delegations/inherit-bounds.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { escalationRefusal } from '@svc/operations/agents/delegations/make-delegation.ts';
import { exchangeAt } from '@svc/operations/agents/delegations/propose-delegation.ts';
import { type LockedDelegation, reduceDelegationTo, takeDelegation } from '@svc/postgres/agents/delegations/change-delegations.ts';
import { type CeilingChange, countPastUses } from '@svc/postgres/agents/delegations/count-past-uses.ts';
import { inWholeOrganization } from '@svc/postgres/agents/delegations/in-whole-organization.ts';
import { placeOf } from '@svc/postgres/agents/delegations/lock-parties.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { type Change, keep } from '@svc/postgres/change/change.ts';
import { inTenant, type TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { firstIdSince } from '@svc/program/ids/first-id-since.ts';
import type { ControlDeps } from '../../deps.ts';

type Reduce = Endpoints['reduceDelegation'];
type ReduceCall = Call<Reduce>;

const differs = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other);

/** The members that a reduction changes, before and after. */
const changesOf = (before: Bounds, after: Bounds) => {
  const names = (Object.keys(after) as (keyof Bounds)[]).filter((name) => differs(before[name], after[name]));
  const picked = (bounds: Bounds) => Object.fromEntries(names.map((name) => [name, bounds[name]]));
  return { isNothing: names.length === 0, data: { before: picked(before), after: picked(after) } };
};

/** Whether somebody changed it between this request and its turn. What that one asked for was no widening when it was sent. */
const cameBetween = ({ now }: ReduceCall, seen: number | undefined, { version, updated_at }: Delegation): boolean =>
  version !== seen || (version > 1 && Date.parse(updated_at) >= now.getTime());

const conflict = (call: ReduceCall, { version }: Delegation) =>
  call.refuse('VERSION_CONFLICT', 'Somebody else changed the delegation meanwhile.', { version });

/** A use of an action that waited for an approval is as much later than its identifier says; clocks of gateways may be off. */
const LATER_SECONDS_MAX = POLICY_LIMITS.approval_seconds_max + 3_600;

type CeilingChanged = { readonly delegation: Delegation } & Pick<CeilingChange, 'before' | 'after' | 'exchange'>;

const usedBefore = (call: ReduceCall, tx: TenantTransaction, { delegation, ...change }: CeilingChanged) => {
  const { organization_id: organizationId } = call.scope;
  const { window_seconds } = change.after;
  const counts = window_seconds === null ? 0 : call.now.getTime() - window_seconds * 1000;
  const since = new Date(Math.max(0, Math.max(counts, Date.parse(delegation.created_at)) - LATER_SECONDS_MAX * 1000));
  const past = { organizationId, delegationId: delegation.id, firstActionId: firstIdSince('action', since), ...change };
  return inWholeOrganization(tx, call.scope, () => countPastUses(tx, past));
};

const reduceTaken = async (
  call: ReduceCall,
  { tx, emit }: Change<Reduce['emits'][number]>,
  { delegation, bounds }: LockedDelegation,
  seen: number | undefined,
) => {
  const { organization_id } = call.scope;
  const { version, ...asked } = call.body;
  if (delegation.status !== 'ACTIVE') {
    const details = { operation: 'reduce', from: delegation.status, allowed_from: ['ACTIVE'] };
    return call.refuse('INVALID_STATE_TRANSITION', `The delegation is ${delegation.status}, which is final.`, details);
  }
  if (version !== undefined && version !== delegation.version) return conflict(call, delegation);
  const wanted = changedBounds(bounds, asked);
  const malformed = askedFaults(asked, wanted, call.now);
  if (malformed.length > 0) return call.refuse('VALIDATION_FAILED', 'The body is not valid.', { faults: malformed });
  const exchange = await exchangeAt(tx, organization_id, call.now);
  const fields = reductionFaults(bounds, wanted, exchange);
  const { id } = delegation;
  const it = about.delegation({ id }, await placeOf(tx, call.scope, delegation.delegate_agent_id));
  if (fields.length > 0) {
    if (cameBetween(call, seen, delegation)) return conflict(call, delegation);
    emit('delegation.escalation_blocked', { ...it, data: { operation: 'reduce', fields } });
    return keep(escalationRefusal(delegation.parent_id, fields));
  }
  const changes = changesOf(bounds, wanted);
  if (changes.isNothing) return delegation;
  const reduced = await reduceDelegationTo(tx, organization_id, id, wanted);
  const counted = await usedBefore(call, tx, { delegation, before: bounds.ceiling, after: wanted.ceiling, exchange });
  if (isRefusal(counted)) return counted;
  emit('delegation.reduced', { ...it, data: { ...changes.data, ...(counted === null ? {} : { used_before: counted }) } });
  return reduced;
};

/** Narrows, and never widens: two at once leave what both allow, or the later one is told that it was not alone. */
export const reduceDelegation: Handler<Reduce, ControlDeps> = async (call) => {
  const { organization_id } = call.scope;
  const { delegationId } = call.params;
  const seen = await inTenant(call.database, call.scope, (tx) => takeDelegation(tx, organization_id, delegationId, call.now, false));
  return await call.change(async (change) => {
    const taken = await takeDelegation(change.tx, organization_id, delegationId, call.now, true);
    return taken ? await reduceTaken(call, change, taken, seen?.delegation.version) : call.refuse('NOT_FOUND');
  });
};
