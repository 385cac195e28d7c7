import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { PolicyRule } from '@svc/contract/policies/language.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { type Change, undo } from '@svc/postgres/change/change.ts';
import { findPolicy, touchPolicy } from '@svc/postgres/policies/policies/policies.ts';
import { findPolicyVersion, supersedeActiveVersion } from '@svc/postgres/policies/versions.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { isStopped, NO_OPENINGS, type PermissivenessCheck } from '../openings/check-openings.ts';
import { formatAcceptedWarnings } from '../versions/inert-rules.ts';
import { type EditablePolicy, lockEditablePolicy } from './lock-editable-policy.ts';

type Suspending = Change<EmittedBy<Endpoints['suspendPolicy']>>;

type SuspendPolicyRequest = CallContext & { readonly policyId: string; readonly body: EndpointBody<Endpoints['suspendPolicy']> };

/** True if suspending makes no decision less strict: what only an allowing policy permitted is blocked. */
const hasOnlyAllows = (rules: readonly PolicyRule[]): boolean => rules.every(({ effect }) => effect === 'ALLOW');

const NO_CHECK: PermissivenessCheck = { begin: async () => ({ finish: async () => NO_OPENINGS }) };

const suspend = async ({ tx, emit }: Suspending, request: SuspendPolicyRequest, policy: EditablePolicy, check: PermissivenessCheck) => {
  const { organization_id } = request.scope;
  const { reason, accept_warnings, dry_run = false } = request.body;
  const openings = await check.begin(tx, policy.id);
  const { status: from } = (await findPolicy(tx, organization_id, policy.id)) ?? { status: 'DRAFT' as const };
  const before = await supersedeActiveVersion(tx, organization_id, policy.id);
  if (before === null) {
    const details = { operation: 'suspend', from, allowed_from: ['ACTIVE'] };
    return buildRefusal('INVALID_STATE_TRANSITION', 'Only an active policy can be suspended.', details);
  }
  await touchPolicy(tx, organization_id, policy.id, { suspended_at: request.now, now: request.now });
  const opened = await openings.finish({ accepts: accept_warnings || dry_run });
  if (isStopped(opened)) return opened;
  emit('policy.suspended', {
    ...about.policy(policy, policy.place),
    data: {
      reason,
      ...formatAcceptedWarnings(opened.accepted),
      before: { active_version_number: before },
      after: { active_version_number: null },
    },
  });
  const found = await findPolicy(tx, organization_id, policy.id);
  if (!found) return buildRefusal('NOT_FOUND');
  const changed = { ...found, ...opened.report };
  return dry_run ? undo(changed) : changed;
};

/** Suspends a policy that only allows. Returns `may_permit_more`, with nothing changed, for any other: use `suspendPolicy` for it. */
export const suspendIfOnlyAllows = async (change: Suspending, request: SuspendPolicyRequest) => {
  const policy = await lockEditablePolicy(change.tx, request.scope, request.policyId);
  if (isRefusal(policy)) return policy;
  const active = await findPolicyVersion(change.tx, request.scope.organization_id, policy.id, 'active');
  if (active && !hasOnlyAllows(active.body.rules)) return undo('may_permit_more');
  return suspend(change, request, policy, NO_CHECK);
};

/** Suspends a policy. A rollback restores the version that was in force. */
export const suspendPolicy = async (change: Suspending, request: SuspendPolicyRequest, check: PermissivenessCheck) => {
  const policy = await lockEditablePolicy(change.tx, request.scope, request.policyId);
  return isRefusal(policy) ? policy : await suspend(change, request, policy, check);
};
