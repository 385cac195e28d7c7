import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { type LockedAgent, NEXT_SERIES } from '../agents/agents.ts';
import { getStandingStatus } from '../agents/standing-status.ts';

/** Locks the existing agents of these, always in the order of their ids, to prevent a deadlock. */
export const lockAgents = (tx: TenantTransaction, organizationId: string, ids: readonly string[]): Promise<LockedAgent[]> =>
  tx
    .selectFrom('agents')
    .select([
      'id',
      'name',
      getStandingStatus('agents').as('status'),
      'workspace_id',
      'environment_id',
      'key_generation',
      'passport_version',
    ])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', sql<string>`(select unnest(${[...ids]}::text[]))`)
    .orderBy('id')
    .forUpdate()
    .execute();

/**
 * Holds the epochs that a change of these agents moves, in the order of the ids. The triggers move them agent by agent, each with those
 * below it; were they not held by then, two changes of many could wait for each other.
 */
export const holdEpochs = async (tx: TenantTransaction, organizationId: string, agentIds: readonly string[]): Promise<void> => {
  const ids = sql`${[...agentIds]}::text[]`;
  await sql`
    select from agent_epochs e where e.organization_id = ${organizationId} and e.agent_id in (
      select unnest(${ids}) union select b.agent from svc_agents_below(${organizationId}, array(
        select d.id from delegations d where d.organization_id = ${organizationId} and d.status = 'ACTIVE'
           and (d.delegate_agent_id = any (${ids}) or d.delegator_agent_id = any (${ids})))) b)
     order by e.agent_id for update`.execute(tx);
};

export type MovedAgents = { readonly status: LockedAgent['status']; readonly killsSessions: boolean };

/** Gives all of them one status; `killsSessions` ends every session that was begun before. */
export const moveAgents = async (
  tx: TenantTransaction,
  organizationId: string,
  agentIds: readonly string[],
  { status, killsSessions }: MovedAgents,
  now: Date,
): Promise<void> => {
  await sql`
    update agents set status = ${status}, session_series = ${killsSessions ? NEXT_SERIES : sql`session_series`}, updated_at = ${now}
     where organization_id = ${organizationId} and id = any (${[...agentIds]}::text[])`.execute(tx);
};
