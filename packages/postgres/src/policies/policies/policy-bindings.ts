import type { PolicyBinding } from '@svc/contract/policies/policies.ts';
import type { PolicyScope } from '@svc/contract/tables/vocabulary.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** The scope of a resource; nulls mean the whole organization. */
export type BindingScope = { readonly workspace_id: string | null; readonly environment_id: string | null };

export type StoredBinding = { readonly id: string; readonly scope: PolicyScope; readonly target_id: string };

/** Returns the scope of a binding's target; undefined if this scope contains no such workspace, environment or agent. */
export const findBindingScope = async (
  tx: TenantTransaction,
  organizationId: string,
  { scope, id }: PolicyBinding,
): Promise<BindingScope | undefined> => {
  if (scope === 'ORGANIZATION') return id === organizationId ? { workspace_id: null, environment_id: null } : undefined;
  if (scope === 'WORKSPACE') {
    const row = await tx
      .selectFrom('workspaces')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .executeTakeFirst();
    return row && { workspace_id: row.id, environment_id: null };
  }
  if (scope === 'ENVIRONMENT') {
    return await tx
      .selectFrom('environments')
      .select(['workspace_id', 'id as environment_id'])
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .executeTakeFirst();
  }
  return await tx
    .selectFrom('agents')
    .select(['workspace_id', 'environment_id'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
};

export const listBindings = (tx: TenantTransaction, organizationId: string, policyId: string): Promise<StoredBinding[]> =>
  tx
    .selectFrom('policy_bindings')
    .select(['id', 'scope', 'target_id'])
    .where('organization_id', '=', organizationId)
    .where('policy_id', '=', policyId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export const insertBinding = async (
  tx: TenantTransaction,
  organizationId: string,
  binding: { readonly id: string; readonly policy_id: string; readonly scope: PolicyScope; readonly target_id: string; readonly now: Date },
): Promise<void> => {
  const { now, ...row } = binding;
  await tx
    .insertInto('policy_bindings')
    .values({ organization_id: organizationId, ...row, created_at: now })
    .execute();
};

export const deleteBinding = async (tx: TenantTransaction, organizationId: string, id: string): Promise<void> => {
  await tx.deleteFrom('policy_bindings').where('organization_id', '=', organizationId).where('id', '=', id).execute();
};
