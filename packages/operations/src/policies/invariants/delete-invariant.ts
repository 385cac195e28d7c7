import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { about, EVERYWHERE } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { deletePolicyInvariant, findPolicyInvariant } from '@svc/postgres/policies/invariants.ts';
import { findBindingScope } from '@svc/postgres/policies/policies/policy-bindings.ts';
import type { CallContext } from '../../people/auth/acting.ts';

/**
 * Deletes an invariant. A caller limited to a part of the organization sees the invariants that apply to it, and deletes only those inside.
 */
export const deleteInvariant = async (
  { tx, emit }: Change<'compliance.control_updated'>,
  request: CallContext & { readonly invariantId: string },
) => {
  const { organization_id } = request.scope;
  const invariant = await findPolicyInvariant(tx, organization_id, request.invariantId);
  if (!invariant) return buildRefusal('NOT_FOUND');
  const { id, name, created_at: _, created_by: __, ...before } = invariant;
  const place = (await findBindingScope(tx, organization_id, invariant.scope)) ?? EVERYWHERE;
  if (!(await deletePolicyInvariant(tx, organization_id, id))) {
    const stillThere = await findPolicyInvariant(tx, organization_id, id);
    return stillThere
      ? buildRefusal('PERMISSION_DENIED', 'This invariant also holds outside the scope of this call.')
      : buildRefusal('NOT_FOUND');
  }
  emit('compliance.control_updated', {
    ...about.policy_invariant({ id }, place),
    severity: 'warning',
    data: { before: { name, ...before }, after: null },
  });
  return { id, name, deleted_at: request.now.toISOString() };
};
