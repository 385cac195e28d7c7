import type { TenantTransaction } from '../connection/in-tenant.ts';

/** How many people hold each role of the organization, by the id of the role. */
export const readStaff = async (tx: TenantTransaction, organizationId: string): Promise<ReadonlyMap<string, number>> => {
  const rows = await tx
    .selectFrom('members')
    .select(({ fn }) => ['role_id', fn.countAll<string>().as('people')])
    .where('organization_id', '=', organizationId)
    .groupBy('role_id')
    .execute();
  return new Map(rows.map(({ role_id, people }) => [role_id, Number(people)]));
};
