import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { markDeleted } from '@svc/postgres/policies/policies/policies.ts';
import { findPolicyVersion } from '@svc/postgres/policies/versions.ts';
import type { Acting } from '../../people/auth/acting.ts';
import { takePolicy } from './take-policy.ts';

/** Deletes a policy that is not in force. Recorded actions name its versions, so these are kept, but not shown. */
export const deletePolicy = async ({ tx, emit }: Change<'policy.deleted'>, request: Acting & { readonly policyId: string }) => {
  const { organization_id } = request.scope;
  const policy = await takePolicy(tx, request.scope, request.policyId);
  if (isRefusal(policy)) return policy;
  if (await findPolicyVersion(tx, organization_id, policy.id, 'active')) {
    const details = { operation: 'delete', from: 'ACTIVE', allowed_from: ['DRAFT', 'SUSPENDED'] };
    return buildRefusal('INVALID_STATE_TRANSITION', 'This policy is active. Suspend it first.', details);
  }
  await markDeleted(tx, organization_id, policy.id, request.now);
  const { id, name, description } = policy;
  emit('policy.deleted', {
    ...about.policy({ id }, policy.place),
    data: { before: { name, description, bindings: policy.bindings.map((binding) => ({ ...binding })) } },
  });
  return { id, name, deleted_at: request.now.toISOString() };
};
