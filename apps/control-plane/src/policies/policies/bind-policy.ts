import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { reachesBeyond } from '@svc/domain/policies/policies/binding-reach.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { keepInvariants } from '@svc/operations/policies/invariants/keep-invariants.ts';
import { inForceRefusal } from '@svc/operations/policies/policies/in-force-refusal.ts';
import { takePolicy } from '@svc/operations/policies/policies/take-policy.ts';
import { acceptedInert, toldAccepted } from '@svc/operations/policies/versions/inert-rules.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { findPolicy, touchPolicy } from '@svc/postgres/policies/policies/policies.ts';
import { findBindingPlace, insertBinding } from '@svc/postgres/policies/policies/policy-bindings.ts';
import { findPolicyVersion } from '@svc/postgres/policies/versions.ts';
import type { ControlDeps } from '../../deps.ts';
import { proveInvariant } from '../proving/prove-invariant.ts';

const BINDINGS_MAX = LIMITS.policies.bindingsPerPolicyMax;

/** Makes a policy apply to one more place. Where a version is in force, it binds there from this moment. */
export const bindPolicy: Handler<Endpoints['bindPolicy'], ControlDeps> = (call) => {
  const { scope, id: target_id, reason } = call.body;
  if (reachesBeyond(call.scope, scope)) {
    return call.fault('/scope', 'This call is limited to a part of the organization; bind to something inside it.');
  }
  return keepInvariants({ scope: call.scope, prove: proveInvariant }, (guard) =>
    call.change(
      guard(async ({ tx, emit }) => {
        const { organization_id } = call.scope;
        const policy = await takePolicy(tx, call.scope, call.params.policyId);
        if (isRefusal(policy)) return policy;
        if (policy.bindings.length >= BINDINGS_MAX) {
          return call.refuse('UNPROCESSABLE', `A policy can have at most ${BINDINGS_MAX} bindings. Bind it to a common scope.`);
        }
        const place = await findBindingPlace(tx, organization_id, { scope, id: target_id });
        if (!place) return call.refuse('NOT_FOUND', 'The scope of the binding does not exist.');
        const active = await findPolicyVersion(tx, organization_id, policy.id, 'active');
        const accepted = active ? await acceptedInert(tx, organization_id, active, call.body.accept_warnings) : [];
        if (isRefusal(accepted)) return accepted;
        await insertBinding(tx, organization_id, {
          id: call.newId('policy_binding'),
          policy_id: policy.id,
          scope,
          target_id,
          now: call.now,
        });
        const tooMuch = await inForceRefusal(tx, organization_id);
        if (tooMuch) return tooMuch;
        await touchPolicy(tx, organization_id, policy.id, { now: call.now });
        emit('policy.bound', {
          ...about.policy(policy, place),
          data: { reason, ...toldAccepted(accepted), after: { scope, target_id } },
        });
        return (await findPolicy(tx, organization_id, policy.id)) ?? call.refuse('NOT_FOUND');
      }),
      { policy_bindings_are_once_per_target: () => call.refuse('ALREADY_EXISTS', 'The policy is already bound to this scope.') },
    ),
  );
};
