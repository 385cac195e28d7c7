import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { reachesBeyond } from '@svc/domain/policies/policies/binding-reach.ts';
import { EVERYWHERE } from '@svc/postgres/audit/about.ts';
import type { TenantScope, TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { lockPolicy, type PolicyHead } from '@svc/postgres/policies/policies/policies.ts';
import { type BindingScope, findBindingScope, listBindings, type StoredBinding } from '@svc/postgres/policies/policies/policy-bindings.ts';

export type EditablePolicy = PolicyHead & {
  readonly bindings: readonly StoredBinding[];
  /** Scope of its events. */
  readonly place: BindingScope;
};

/** Locks a policy for a change. A caller limited to a part of the organization changes only what binds inside that part. */
export const lockEditablePolicy = async (
  tx: TenantTransaction,
  scope: TenantScope,
  id: string,
): Promise<EditablePolicy | Refusal<'NOT_FOUND' | 'PERMISSION_DENIED'>> => {
  const { organization_id } = scope;
  const head = await lockPolicy(tx, organization_id, id);
  if (!head) return buildRefusal('NOT_FOUND');
  const bindings = await listBindings(tx, organization_id, id);
  const places: BindingScope[] = [];
  for (const binding of bindings) {
    const place = await findBindingScope(tx, organization_id, { scope: binding.scope, id: binding.target_id });
    if (!place || reachesBeyond(scope, binding.scope)) {
      return buildRefusal('PERMISSION_DENIED', 'This policy also binds outside the scope of this call.', { bindings });
    }
    places.push(place);
  }
  return { ...head, bindings, place: (places.length === 1 && places[0]) || EVERYWHERE };
};
