import type { Insertable } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';

/** Marks one session dead; the agent's epoch moves with it. Ending it twice changes nothing. */
export const endAgentSession = async (tx: TenantTransaction, session: Insertable<Tables['ended_agent_sessions']>): Promise<void> => {
  await tx
    .insertInto('ended_agent_sessions')
    .values(session)
    .onConflict((conflict) => conflict.columns(['organization_id', 'session_id']).doNothing())
    .execute();
};
