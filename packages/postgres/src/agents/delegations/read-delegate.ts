import type { Delegate } from '@svc/domain/agents/delegations/delegation-warnings.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** Returns the authority of an agent without a planned delegation. */
export const readDelegate = async (tx: TenantTransaction, organizationId: string, agentId: string, now: Date): Promise<Delegate> => {
  const { rows } = await sql<Delegate>`
    select a.environment_id, e.requires_delegation,
           array(select c.capability from agent_capabilities c where c.organization_id = a.organization_id and c.agent_id = a.id) as capabilities,
           exists (select from delegations d where d.organization_id = a.organization_id and d.delegate_agent_id = a.id and d.status = 'ACTIVE'
                      and d.delegator_user_id is not null and (d.expires_at is null or d.expires_at > ${now})) as is_delegated
      from agents a join environments e on e.organization_id = a.organization_id and e.id = a.environment_id
     where a.organization_id = ${organizationId} and a.id = ${agentId}`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('an agent that was just found is not there');
  return row;
};
