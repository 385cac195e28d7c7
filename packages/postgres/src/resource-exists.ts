import type { Database } from './connect.ts';
import { readInTenant, type TenantScope } from './in-tenant.ts';
import type { Tables } from './tables.ts';

/** Path parameter -> the table it names a row of. */
const TABLE_OF = {
  environmentId: 'environments',
  agentId: 'agents',
  toolId: 'tools',
  policyId: 'policies',
  bindingId: 'policy_bindings',
  invariantId: 'policy_invariants',
  actionId: 'actions',
  approvalId: 'approvals',
  delegationId: 'delegations',
  apiKeyId: 'api_keys',
  eventId: 'audit_events',
  rateId: 'exchange_rates',
} as const satisfies Record<string, keyof Tables>;

/** Whether every resource a path names is there for this scope. Parameters that name no row, such as a capability, do not count. */
export const resourcesExist = async (database: Database, scope: TenantScope, params: Readonly<Record<string, string>>): Promise<boolean> =>
  readInTenant(database, scope, async (tx) => {
    for (const [param, id] of Object.entries(params)) {
      const table = TABLE_OF[param as keyof typeof TABLE_OF];
      if (!table) continue;
      const row = await tx
        .selectFrom(table)
        .select('id')
        .where('organization_id', '=', scope.organization_id)
        .where('id', '=', id)
        .executeTakeFirst();
      if (!row) return false;
    }
    return true;
  });
