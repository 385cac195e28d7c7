import type { Database } from '../../connection/connect.ts';

export type AgentHome = { readonly organization_id: string; readonly environment_id: string };

/** Finds the organization of an agent before any tenant is known. */
export const findAgentHome = (identity: Database, agentId: string): Promise<AgentHome | undefined> =>
  identity.selectFrom('agents').select(['organization_id', 'environment_id']).where('id', '=', agentId).executeTakeFirst();
