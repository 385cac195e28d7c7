import type { Delegation } from '@svc/contract/agents/delegations/shapes.ts';
import type { AgentStatus } from '@svc/contract/tables/vocabulary.ts';
import { sql } from 'kysely';
import { EVERYWHERE } from '../../audit/about.ts';
import type { TenantScope, TenantTransaction } from '../../connection/in-tenant.ts';
import { inWholeOrganization } from '../../connection/in-whole-organization.ts';
import { getStandingStatus } from '../agents/standing-status.ts';

export type EnvironmentScope = { readonly workspace_id: string; readonly environment_id: string };
export type Party = EnvironmentScope & { readonly id: string; readonly status: AgentStatus };
type Parties = { readonly delegator: Delegation['delegator']; readonly delegate_agent_id: string };

const findAgents = (tx: TenantTransaction, organizationId: string, ids: readonly string[], lock: boolean): Promise<Party[]> =>
  tx
    .selectFrom('agents')
    .select(['id', getStandingStatus('agents').as('status'), 'workspace_id', 'environment_id'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .orderBy('id')
    .$if(lock, (query) => query.forShare())
    .execute();

/** Serializes the counting of an agent's delegations; acquired before any other lock, to prevent a deadlock. */
const takeTurn = async (tx: TenantTransaction, organizationId: string, delegateAgentId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`delegations to ${organizationId} ${delegateAgentId}`}, 0))`.execute(tx);
};

/**
 * Locks both agents: a concurrent revocation happens entirely before or after, with everything that it affects.
 * Undefined if the caller does not see such an agent.
 */
export const lockParties = async (
  tx: TenantTransaction,
  scope: TenantScope,
  { delegator, delegate_agent_id }: Parties,
  lock: boolean,
): Promise<Party | undefined> => {
  const { organization_id } = scope;
  const [seen] = await findAgents(tx, organization_id, [delegate_agent_id], false);
  if (!seen) return undefined;
  if (lock) await takeTurn(tx, organization_id, delegate_agent_id);
  const ids = delegator.type === 'AGENT' ? [delegator.id, delegate_agent_id] : [delegate_agent_id];
  const parties = await inWholeOrganization(tx, scope, () => findAgents(tx, organization_id, ids, lock));
  return parties.find(({ id }) => id === delegate_agent_id);
};

/** Returns the scope of events about an agent's delegation. */
export const findDelegationScope = async (
  tx: TenantTransaction,
  scope: TenantScope,
  agentId: string,
): Promise<EnvironmentScope | typeof EVERYWHERE> => {
  const [agent] = await inWholeOrganization(tx, scope, () => findAgents(tx, scope.organization_id, [agentId], false));
  return agent ?? EVERYWHERE;
};
