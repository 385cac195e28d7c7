import type { Agent } from '@svc/contract/agents/agents/agents.ts';
import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { buildLifecycleEvent, changeLifecycle } from './change-lifecycle.ts';
import type { EndAgentInput } from './end-agent.ts';
import { cancelAgentApprovals } from './end-agents.ts';

/**
 * Decommissions a stopped agent. Its delegations are invalid, since it is not in operation. A batch of its approvals ends with it, and the
 * rest by `cancelAgentApprovals`, repeated while there may be more.
 */
export const decommissionAgent = async (
  change: Change<'agent.decommissioned' | 'approval.cancelled'>,
  { agentId, actor, ...ending }: EndAgentInput & Pick<CallContext, 'actor'>,
): Promise<Agent | Refusal<'NOT_FOUND' | 'INVALID_STATE_TRANSITION'>> => {
  const { scope, now } = ending;
  const changed = await changeLifecycle(change.tx, {
    organizationId: scope.organization_id,
    agentId,
    operation: 'decommission',
    by: actor,
    now,
  });
  if (isRefusal(changed)) return changed;
  change.emit('agent.decommissioned', buildLifecycleEvent(changed, ending.reason));
  await cancelAgentApprovals(change, [agentId], ending, 'AGENT_NOT_OPERATIONAL');
  return changed.agent;
};
