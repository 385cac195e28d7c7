import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointQuery } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { type Change, undo } from '@svc/postgres/change/change.ts';
import { findPolicy, touchPolicy } from '@svc/postgres/policies/policies/policies.ts';
import { deleteBinding, findBindingScope } from '@svc/postgres/policies/policies/policy-bindings.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { isStopped, type PermissivenessCheck } from '../openings/check-openings.ts';
import { formatAcceptedWarnings } from '../versions/inert-rules.ts';
import { lockEditablePolicy } from './lock-editable-policy.ts';

type UnbindPolicyRequest = CallContext & {
  readonly policyId: string;
  readonly bindingId: string;
  readonly query: EndpointQuery<Endpoints['unbindPolicy']>;
};

/**
 * Unbinds a policy from one scope, after a check of the requests that become allowed. Rejects the removal of the last binding that a caller
 * limited to a part of the organization can read.
 */
export const unbindPolicy = async ({ tx, emit }: Change<'policy.unbound'>, request: UnbindPolicyRequest, check: PermissivenessCheck) => {
  const { organization_id } = request.scope;
  const { accept_warnings, dry_run = false } = request.query;
  const policy = await lockEditablePolicy(tx, request.scope, request.policyId);
  if (isRefusal(policy)) return policy;
  const binding = policy.bindings.find(({ id }) => id === request.bindingId);
  if (!binding) return buildRefusal('NOT_FOUND');
  const { scope, target_id } = binding;
  const place = await findBindingScope(tx, organization_id, { scope, id: target_id });
  const openings = await check.begin(tx, policy.id);
  await deleteBinding(tx, organization_id, binding.id);
  await touchPolicy(tx, organization_id, policy.id, { now: request.now });
  const opened = await openings.finish({ accepts: accept_warnings || dry_run });
  if (isStopped(opened)) return opened;
  emit('policy.unbound', {
    ...about.policy(policy, place ?? policy.place),
    data: { ...formatAcceptedWarnings(opened.accepted), before: { scope, target_id } },
  });
  const found = await findPolicy(tx, organization_id, policy.id);
  if (!found)
    return buildRefusal(
      'PERMISSION_DENIED',
      'This call is limited to a part of the organization and could not read the policy afterwards.',
    );
  const changed = { ...found, ...opened.report };
  return dry_run ? undo(changed) : changed;
};
