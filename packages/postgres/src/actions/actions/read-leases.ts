import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** The lease of a credential for an action, from its event. */
export type CredentialLease = { readonly [member: string]: unknown };

/** Returns the leases of these actions, by action id; none for an action without a credential. */
export const readLeases = async (
  tx: TenantTransaction,
  organizationId: string,
  actionIds: readonly string[],
): Promise<ReadonlyMap<string, CredentialLease>> => {
  if (actionIds.length === 0) return new Map();
  const rows = await tx
    .selectFrom('audit_events')
    .select(['subject_id', 'data'])
    .where('organization_id', '=', organizationId)
    .where('subject_id', 'in', actionIds)
    .where('type', '=', 'credential.issued')
    .execute();
  return new Map(rows.map(({ subject_id, data }) => [subject_id, data as CredentialLease]));
};
