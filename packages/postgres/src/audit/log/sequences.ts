import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** Returns the log positions of events, by their ids; unsealed ones are omitted. */
export const readSequences = async (
  tx: TenantTransaction,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .selectFrom('audit_leaves')
    .select(['event_id', 'leaf_index'])
    .where('organization_id', '=', organizationId)
    .where('event_id', 'in', ids)
    .execute();
  return new Map(rows.map(({ event_id, leaf_index }) => [event_id, leaf_index]));
};
