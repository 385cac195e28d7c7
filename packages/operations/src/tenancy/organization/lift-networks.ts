import { about } from '@svc/postgres/audit/about.ts';
import { type ChangeContext, change } from '@svc/postgres/change/change.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { lockOrganization, updateOrganization } from '@svc/postgres/tenancy/organization/organization.ts';

/** Removes the allowed networks of an organization for the operator of the machine. Returns the removed ones. */
export const liftNetworksByOperator = (database: Database, context: ChangeContext, reason: string): Promise<readonly string[]> =>
  change<'organization.updated', readonly string[]>(database, context, async ({ tx, emit }) => {
    const { organization_id: id } = context.scope;
    const { allowed_networks: lifted } = await lockOrganization(tx, id);
    const data = { before: { allowed_networks: lifted }, after: { allowed_networks: [] }, by: 'OPERATOR', reason };
    if (lifted.length === 0) return lifted;
    await updateOrganization(tx, id, { allowed_networks: [] }, context.now);
    emit('organization.updated', { ...about.organization({ id }), severity: 'critical', data });
    return lifted;
  });
