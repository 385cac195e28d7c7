import type { Insertable, Selectable } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';
import { getStandingStatus } from './standing-status.ts';

export type AgentListingRow = Selectable<Tables['agent_listings']>;

export const findAgentListing = (tx: TenantTransaction, organizationId: string, agentId: string): Promise<AgentListingRow | undefined> =>
  tx
    .selectFrom('agent_listings')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('agent_id', '=', agentId)
    .executeTakeFirst();

/** The listing of an agent with the status of the agent. */
export const findListedAgent = (tx: TenantTransaction, organizationId: string, agentId: string) =>
  tx
    .selectFrom('agent_listings as l')
    .innerJoin('agents', (join) => join.onRef('agents.organization_id', '=', 'l.organization_id').onRef('agents.id', '=', 'l.agent_id'))
    .select(['l.agent_id', 'l.environment_id', 'l.card', getStandingStatus('agents').as('status')])
    .where('l.organization_id', '=', organizationId)
    .where('l.agent_id', '=', agentId)
    .executeTakeFirst();

/** Publishes the card of an agent, replacing the previous one. */
export const putAgentListing = async (tx: TenantTransaction, row: Insertable<Tables['agent_listings']>): Promise<void> => {
  const { card, published_by, published_at } = row;
  await tx
    .insertInto('agent_listings')
    .values(row)
    .onConflict((conflict) => conflict.columns(['organization_id', 'agent_id']).doUpdateSet({ card, published_by, published_at }))
    .execute();
};

/** Returns true if the agent was listed. */
export const deleteAgentListing = async (tx: TenantTransaction, organizationId: string, agentId: string): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('agent_listings')
    .where('organization_id', '=', organizationId)
    .where('agent_id', '=', agentId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
};
