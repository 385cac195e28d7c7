import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/refusal.ts';
import type { Handler } from '@svc/http/call.ts';
import { findPolicy, touchPolicy } from '@svc/postgres/policies.ts';
import { supersedeActiveVersion } from '@svc/postgres/policy-versions.ts';
import type { ControlDeps } from '../deps.ts';
import { keepInvariants } from '../invariants/keep-invariants.ts';
import { takePolicy } from './take-policy.ts';

/** Takes a policy out of force. What was in force is superseded and comes back by a rollback to it. */
export const suspendPolicy: Handler<Endpoints['suspendPolicy'], ControlDeps> = (call) =>
  keepInvariants(call.scope, (guard) =>
    call.change(
      guard(async ({ tx, emit }) => {
        const { organization_id } = call.scope;
        const policy = await takePolicy(tx, call.scope, call.params.policyId);
        if (isRefusal(policy)) return policy;
        const { status: from } = (await findPolicy(tx, organization_id, policy.id)) ?? { status: 'DRAFT' as const };
        const before = await supersedeActiveVersion(tx, organization_id, policy.id);
        if (before === null) {
          const details = { operation: 'suspend', from, allowed_from: ['ACTIVE'] };
          return call.refuse('INVALID_STATE_TRANSITION', 'Only a policy that is in force can be taken out of it.', details);
        }
        await touchPolicy(tx, organization_id, policy.id, { suspended_at: call.now, now: call.now });
        emit('policy.suspended', {
          subject: { type: 'policy', id: policy.id },
          ...policy.place,
          data: { reason: call.body.reason, before: { active_version_number: before }, after: { active_version_number: null } },
        });
        return (await findPolicy(tx, organization_id, policy.id)) ?? call.refuse('NOT_FOUND');
      }),
    ),
  );
