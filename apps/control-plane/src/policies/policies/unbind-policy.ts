import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { keepInvariants } from '@svc/operations/policies/invariants/keep-invariants.ts';
import { checkOpenings, isStopped } from '@svc/operations/policies/openings/check-openings.ts';
import { takePolicy } from '@svc/operations/policies/policies/take-policy.ts';
import { toldAccepted } from '@svc/operations/policies/versions/inert-rules.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { undo } from '@svc/postgres/change/change.ts';
import { findPolicy, touchPolicy } from '@svc/postgres/policies/policies/policies.ts';
import { deleteBinding, findBindingPlace } from '@svc/postgres/policies/policies/policy-bindings.ts';
import type { ControlDeps } from '../../deps.ts';
import { analyseChange } from '../analysis/analyse-change.ts';
import { proveInvariant } from '../proving/prove-invariant.ts';

/** Releases a policy from one place. A caller limited to a part of the organization leaves it the last one, or could not see it again. */
export const unbindPolicy: Handler<Endpoints['unbindPolicy'], ControlDeps> = (call) => {
  const { organization_id } = call.scope;
  const { accept_warnings, dry_run = false } = call.query;
  return checkOpenings({ organizationId: organization_id, analyse: analyseChange }, (check) =>
    keepInvariants({ scope: call.scope, prove: proveInvariant }, (guard) =>
      call.change(
        guard(async ({ tx, emit }) => {
          const policy = await takePolicy(tx, call.scope, call.params.policyId);
          if (isRefusal(policy)) return policy;
          const binding = policy.bindings.find(({ id }) => id === call.params.bindingId);
          if (!binding) return call.refuse('NOT_FOUND');
          const { scope, target_id } = binding;
          const place = await findBindingPlace(tx, organization_id, { scope, id: target_id });
          const openings = await check.begin(tx, policy.id);
          await deleteBinding(tx, organization_id, binding.id);
          await touchPolicy(tx, organization_id, policy.id, { now: call.now });
          const opened = await openings.finish({ accepts: accept_warnings || dry_run });
          if (isStopped(opened)) return opened;
          emit('policy.unbound', {
            ...about.policy(policy, place ?? policy.place),
            data: { ...toldAccepted(opened.accepted), before: { scope, target_id } },
          });
          const found = await findPolicy(tx, organization_id, policy.id);
          if (!found)
            return call.refuse(
              'PERMISSION_DENIED',
              'This call is limited to a part of the organization and would lose sight of the policy.',
            );
          const changed = { ...found, ...opened.report };
          return dry_run ? undo(changed) : changed;
        }),
      ),
    ),
  );
};
