import type { TenantTransaction } from '../../connection/in-tenant.ts';

export type CapabilityGrant = { readonly capability: string; readonly granted_by: string; readonly granted_at: string };

export const listGrants = (tx: TenantTransaction, organizationId: string, agentId: string): Promise<CapabilityGrant[]> =>
  tx
    .selectFrom('agent_capabilities')
    .select(['capability', 'granted_by', 'granted_at'])
    .where('organization_id', '=', organizationId)
    .where('agent_id', '=', agentId)
    .orderBy('capability')
    .execute();

/** Grants each capability that the agent does not have yet; returns those. */
export const addGrants = async (
  tx: TenantTransaction,
  organizationId: string,
  agentId: string,
  capabilities: readonly string[],
  by: { readonly granted_by: string; readonly granted_at: Date },
): Promise<string[]> => {
  if (capabilities.length === 0) return [];
  const added = await tx
    .insertInto('agent_capabilities')
    .values(capabilities.map((capability) => ({ organization_id: organizationId, agent_id: agentId, capability, ...by })))
    .onConflict((conflict) => conflict.columns(['organization_id', 'agent_id', 'capability']).doNothing())
    .returning('capability')
    .execute();
  return added.map((row) => row.capability);
};

/** False when the agent does not hold it. */
export const removeGrant = async (tx: TenantTransaction, organizationId: string, agentId: string, capability: string): Promise<boolean> => {
  const gone = await tx
    .deleteFrom('agent_capabilities')
    .where('organization_id', '=', organizationId)
    .where('agent_id', '=', agentId)
    .where('capability', '=', capability)
    .returning('capability')
    .executeTakeFirst();
  return gone !== undefined;
};
