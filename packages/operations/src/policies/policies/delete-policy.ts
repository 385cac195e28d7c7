import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { markPolicyDeleted } from '@svc/postgres/policies/policies/policies.ts';
import { findPolicyVersion } from '@svc/postgres/policies/versions.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { lockEditablePolicy } from './lock-editable-policy.ts';

/** Marks a policy without an active version as deleted. Its versions are kept, because recorded actions refer to them. */
export const deletePolicy = async ({ tx, emit }: Change<'policy.deleted'>, request: CallContext & { readonly policyId: string }) => {
  const { organization_id } = request.scope;
  const policy = await lockEditablePolicy(tx, request.scope, request.policyId);
  if (isRefusal(policy)) return policy;
  if (await findPolicyVersion(tx, organization_id, policy.id, 'active')) {
    const details = { operation: 'delete', from: 'ACTIVE', allowed_from: ['DRAFT', 'SUSPENDED'] };
    return buildRefusal('INVALID_STATE_TRANSITION', 'This policy is active. Suspend it first.', details);
  }
  await markPolicyDeleted(tx, organization_id, policy.id, request.now);
  const { id, name, description } = policy;
  emit('policy.deleted', {
    ...about.policy({ id }, policy.place),
    data: { before: { name, description, bindings: policy.bindings.map((binding) => ({ ...binding })) } },
  });
  return { id, name, deleted_at: request.now.toISOString() };
};
