import type { Agent } from '@svc/contract/agents/agents/agents.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { getAgentTransition } from '@svc/domain/agents/agents/lifecycle.ts';
import { findAgent, lockAgent } from '@svc/postgres/agents/agents/agents.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantScope } from '@svc/postgres/connection/in-tenant.ts';
import { type AgentEndEvent, endAgents } from './end-agents.ts';

export type EndAgentInput = { readonly scope: TenantScope; readonly agentId: string; readonly reason: string; readonly now: Date };

/** Ends one agent, and everything that depends on it. */
export const endAgent = async (
  change: Change<AgentEndEvent>,
  { agentId, ...ending }: EndAgentInput,
): Promise<Agent | Refusal<'NOT_FOUND' | 'INVALID_STATE_TRANSITION'>> => {
  const { organization_id: organizationId } = ending.scope;
  const locked = await lockAgent(change.tx, organizationId, agentId);
  if (!locked) return buildRefusal('NOT_FOUND');
  const transition = getAgentTransition('revoke', locked.status);
  if (isRefusal(transition)) return transition;
  await endAgents(change, [locked], ending);
  return (await findAgent(change.tx, organizationId, agentId)) ?? buildRefusal('NOT_FOUND');
};
