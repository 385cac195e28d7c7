import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { takePolicy } from '@svc/operations/policies/policies/take-policy.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { markDeleted } from '@svc/postgres/policies/policies/policies.ts';
import { findPolicyVersion } from '@svc/postgres/policies/versions.ts';
import type { ControlDeps } from '../../deps.ts';

/** Deletes a policy that is not in force. Recorded actions name its versions, so these are kept, out of sight. */
export const deletePolicy: Handler<Endpoints['deletePolicy'], ControlDeps> = (call) =>
  call.change(async ({ tx, emit }) => {
    const { organization_id } = call.scope;
    const policy = await takePolicy(tx, call.scope, call.params.policyId);
    if (isRefusal(policy)) return policy;
    if (await findPolicyVersion(tx, organization_id, policy.id, 'active')) {
      const details = { operation: 'delete', from: 'ACTIVE', allowed_from: ['DRAFT', 'SUSPENDED'] };
      return call.refuse('INVALID_STATE_TRANSITION', 'This policy is active. Suspend it first.', details);
    }
    await markDeleted(tx, organization_id, policy.id, call.now);
    const { id, name, description } = policy;
    emit('policy.deleted', {
      ...about.policy({ id }, policy.place),
      data: { before: { name, description, bindings: policy.bindings.map((binding) => ({ ...binding })) } },
    });
    return { id, name, deleted_at: call.now.toISOString() };
  });
