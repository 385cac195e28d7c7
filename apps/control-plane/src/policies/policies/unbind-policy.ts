import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { keepInvariants } from '@svc/operations/policies/invariants/keep-invariants.ts';
import { takePolicy } from '@svc/operations/policies/policies/take-policy.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { findPolicy, touchPolicy } from '@svc/postgres/policies/policies/policies.ts';
import { deleteBinding, findBindingPlace } from '@svc/postgres/policies/policies/policy-bindings.ts';
import type { ControlDeps } from '../../deps.ts';
import { proveInvariant } from '../proving/prove-invariant.ts';

/** Releases a policy from one place. A caller limited to a part of the organization leaves it the last one, or could not see it again. */
export const unbindPolicy: Handler<Endpoints['unbindPolicy'], ControlDeps> = (call) =>
  keepInvariants({ scope: call.scope, prove: proveInvariant }, (guard) =>
    call.change(
      guard(async ({ tx, emit }) => {
        const { organization_id } = call.scope;
        const policy = await takePolicy(tx, call.scope, call.params.policyId);
        if (isRefusal(policy)) return policy;
        const binding = policy.bindings.find(({ id }) => id === call.params.bindingId);
        if (!binding) return call.refuse('NOT_FOUND');
        const { scope, target_id } = binding;
        const place = await findBindingPlace(tx, organization_id, { scope, id: target_id });
        await deleteBinding(tx, organization_id, binding.id);
        await touchPolicy(tx, organization_id, policy.id, { now: call.now });
        emit('policy.unbound', { ...about.policy(policy, place ?? policy.place), data: { before: { scope, target_id } } });
        return (
          (await findPolicy(tx, organization_id, policy.id)) ??
          call.refuse('PERMISSION_DENIED', 'This call is limited to a part of the organization and would lose sight of the policy.')
        );
      }),
    ),
  );
