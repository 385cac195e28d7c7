import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { PolicyRule } from '@svc/contract/policies/language.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { keepInvariants } from '@svc/operations/policies/invariants/keep-invariants.ts';
import { type TakenPolicy, takePolicy } from '@svc/operations/policies/policies/take-policy.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { type Change, undo } from '@svc/postgres/change/change.ts';
import { findPolicy, touchPolicy } from '@svc/postgres/policies/policies/policies.ts';
import { findPolicyVersion, supersedeActiveVersion } from '@svc/postgres/policies/versions.ts';
import type { ControlDeps } from '../../deps.ts';
import { proveInvariant } from '../proving/prove-invariant.ts';

type Suspend = Endpoints['suspendPolicy'];
type Writing = Change<Suspend['emits'][number]>;

/** Without rules that allow, nothing is decided less strictly: what they alone permitted is blocked, and the strictest of others stands. */
const onlyAllows = (rules: readonly PolicyRule[]): boolean => rules.every(({ effect }) => effect === 'ALLOW');

const suspend = async (call: Call<Suspend>, { tx, emit }: Writing, policy: TakenPolicy) => {
  const { organization_id } = call.scope;
  const { status: from } = (await findPolicy(tx, organization_id, policy.id)) ?? { status: 'DRAFT' as const };
  const before = await supersedeActiveVersion(tx, organization_id, policy.id);
  if (before === null) {
    const details = { operation: 'suspend', from, allowed_from: ['ACTIVE'] };
    return call.refuse('INVALID_STATE_TRANSITION', 'Only a policy that is in force can be taken out of it.', details);
  }
  await touchPolicy(tx, organization_id, policy.id, { suspended_at: call.now, now: call.now });
  emit('policy.suspended', {
    ...about.policy(policy, policy.place),
    data: { reason: call.body.reason, before: { active_version_number: before }, after: { active_version_number: null } },
  });
  return (await findPolicy(tx, organization_id, policy.id)) ?? call.refuse('NOT_FOUND');
};

/** Undone where something may be permitted without this policy that is not now: then it is proved first what holds. */
const suspendAtOnce = async (call: Call<Suspend>, change: Writing) => {
  const policy = await takePolicy(change.tx, call.scope, call.params.policyId);
  if (isRefusal(policy)) return policy;
  const active = await findPolicyVersion(change.tx, call.scope.organization_id, policy.id, 'active');
  return active && !onlyAllows(active.body.rules) ? undo('may_permit_more') : await suspend(call, change, policy);
};

const suspendProved = async (call: Call<Suspend>, change: Writing) => {
  const policy = await takePolicy(change.tx, call.scope, call.params.policyId);
  return isRefusal(policy) ? policy : await suspend(call, change, policy);
};

/**
 * Takes a policy out of force. What was in force is superseded and comes back by a rollback to it. One that only allows is stopped at once,
 * as an emergency needs it, also where an invariant says how strictly something is decided at most; any other when what has to hold is proved
 * to hold without it, before all other proofs.
 */
export const suspendPolicy: Handler<Suspend, ControlDeps> = async (call) => {
  const suspended = await call.change((change) => suspendAtOnce(call, change));
  if (suspended !== 'may_permit_more') return suspended;
  return keepInvariants({ scope: call.scope, prove: proveInvariant, urgency: 'emergency' }, (guard) =>
    call.change(guard((change: Writing) => suspendProved(call, change))),
  );
};
