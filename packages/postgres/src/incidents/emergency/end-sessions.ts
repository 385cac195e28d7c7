import { sql } from 'kysely';
import { NEXT_SERIES } from '../../agents/agents/agents.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** Ends every session of these agents that was begun before. */
export const endSessionsOfAgents = async (
  tx: TenantTransaction,
  organizationId: string,
  agentIds: readonly string[],
  now: Date,
): Promise<void> => {
  await sql`
    update agents set session_series = ${NEXT_SERIES}, updated_at = ${now}
     where organization_id = ${organizationId} and id = any (${[...agentIds]}::text[])`.execute(tx);
};
