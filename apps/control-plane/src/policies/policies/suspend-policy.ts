import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { PolicyRule } from '@svc/contract/policies/language.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { keepInvariants } from '@svc/operations/policies/invariants/keep-invariants.ts';
import { checkOpenings, isStopped, NO_OPENINGS, type OpeningCheck } from '@svc/operations/policies/openings/check-openings.ts';
import { type TakenPolicy, takePolicy } from '@svc/operations/policies/policies/take-policy.ts';
import { toldAccepted } from '@svc/operations/policies/versions/inert-rules.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { type Change, undo } from '@svc/postgres/change/change.ts';
import { findPolicy, touchPolicy } from '@svc/postgres/policies/policies/policies.ts';
import { findPolicyVersion, supersedeActiveVersion } from '@svc/postgres/policies/versions.ts';
import { analyseChange } from '../analysis/analyse-change.ts';
import type { PoliciesDeps } from '../deps.ts';
import { proveInvariant } from '../proving/prove-invariant.ts';

type Suspend = Endpoints['suspendPolicy'];
type Writing = Change<Suspend['emits'][number]>;

/** Without rules that allow, nothing is decided less strictly: what they alone permitted is blocked, and the strictest of others stands. */
const onlyAllows = (rules: readonly PolicyRule[]): boolean => rules.every(({ effect }) => effect === 'ALLOW');

const NO_CHECK: OpeningCheck = { begin: async () => ({ finish: async () => NO_OPENINGS }) };

const suspend = async (call: Call<Suspend>, { tx, emit }: Writing, policy: TakenPolicy, check: OpeningCheck) => {
  const { organization_id } = call.scope;
  const { reason, accept_warnings, dry_run = false } = call.body;
  const openings = await check.begin(tx, policy.id);
  const { status: from } = (await findPolicy(tx, organization_id, policy.id)) ?? { status: 'DRAFT' as const };
  const before = await supersedeActiveVersion(tx, organization_id, policy.id);
  if (before === null) {
    const details = { operation: 'suspend', from, allowed_from: ['ACTIVE'] };
    return call.refuse('INVALID_STATE_TRANSITION', 'Only an active policy can be suspended.', details);
  }
  await touchPolicy(tx, organization_id, policy.id, { suspended_at: call.now, now: call.now });
  const opened = await openings.finish({ accepts: accept_warnings || dry_run });
  if (isStopped(opened)) return opened;
  emit('policy.suspended', {
    ...about.policy(policy, policy.place),
    data: {
      reason,
      ...toldAccepted(opened.accepted),
      before: { active_version_number: before },
      after: { active_version_number: null },
    },
  });
  const found = await findPolicy(tx, organization_id, policy.id);
  if (!found) return call.refuse('NOT_FOUND');
  const changed = { ...found, ...opened.report };
  return dry_run ? undo(changed) : changed;
};

/** Undone where something may be permitted without this policy that is not now: then it is checked first what that is. */
const suspendAtOnce = async (call: Call<Suspend>, change: Writing) => {
  const policy = await takePolicy(change.tx, call.scope, call.params.policyId);
  if (isRefusal(policy)) return policy;
  const active = await findPolicyVersion(change.tx, call.scope.organization_id, policy.id, 'active');
  return active && !onlyAllows(active.body.rules) ? undo('may_permit_more') : await suspend(call, change, policy, NO_CHECK);
};

const suspendChecked = async (call: Call<Suspend>, change: Writing, check: OpeningCheck) => {
  const policy = await takePolicy(change.tx, call.scope, call.params.policyId);
  return isRefusal(policy) ? policy : await suspend(call, change, policy, check);
};

/**
 * Takes a policy out of force. What was in force is superseded and comes back by a rollback to it. One that only allows is stopped at once,
 * as an emergency needs it, also where an invariant says how strictly something is decided at most; any other when the invariants are proved
 * to hold without it, before all other proofs, and the caller accepts what is permitted without it.
 */
export const suspendPolicy: Handler<Suspend, PoliciesDeps> = async (call) => {
  const checking = { organizationId: call.scope.organization_id, analyse: analyseChange };
  const suspended = await checkOpenings(checking, () => call.change((change) => suspendAtOnce(call, change)));
  if (suspended !== 'may_permit_more') return suspended;
  return checkOpenings(checking, (check) =>
    keepInvariants({ scope: call.scope, prove: proveInvariant, urgency: 'emergency' }, (guard) =>
      call.change(guard((change: Writing) => suspendChecked(call, change, check))),
    ),
  );
};
