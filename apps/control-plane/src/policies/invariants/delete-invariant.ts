import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about, EVERYWHERE } from '@svc/postgres/audit/about.ts';
import { deletePolicyInvariant, findPolicyInvariant } from '@svc/postgres/policies/invariants.ts';
import { findBindingPlace } from '@svc/postgres/policies/policies/policy-bindings.ts';
import type { ControlDeps } from '../../deps.ts';

/** Removes an invariant. A caller limited to a part of the organization sees what holds around it, and removes only what holds inside. */
export const deleteInvariant: Handler<Endpoints['deleteInvariant'], ControlDeps> = (call) =>
  call.change(async ({ tx, emit }) => {
    const { organization_id } = call.scope;
    const invariant = await findPolicyInvariant(tx, organization_id, call.params.invariantId);
    if (!invariant) return call.refuse('NOT_FOUND');
    const { id, name, created_at: _, created_by: __, ...before } = invariant;
    const place = (await findBindingPlace(tx, organization_id, invariant.scope)) ?? EVERYWHERE;
    if (!(await deletePolicyInvariant(tx, organization_id, id))) {
      const stillThere = await findPolicyInvariant(tx, organization_id, id);
      return stillThere
        ? call.refuse('PERMISSION_DENIED', 'This invariant also holds outside the scope of this call.')
        : call.refuse('NOT_FOUND');
    }
    emit('compliance.control_updated', {
      ...about.policy_invariant({ id }, place),
      severity: 'warning',
      data: { before: { name, ...before }, after: null },
    });
    return { id, name, deleted_at: call.now.toISOString() };
  });
