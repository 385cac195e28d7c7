import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { decommissionAgent as decommission } from '@svc/operations/agents/agents/decommission-agent.ts';
import { cancelAgentApprovals } from '@svc/operations/agents/agents/end-agents.ts';
import type { AgentsDeps } from '../deps.ts';

export const decommissionAgent: Handler<Endpoints['decommissionAgent'], AgentsDeps> = async (call) => {
  const { agentId } = call.params;
  const ending = { scope: call.scope, reason: call.body.reason, now: call.now };
  const ended = await call.change((change) => decommission(change, { ...ending, agentId, actor: call.caller.actor }));
  if (isRefusal(ended)) return ended;
  // The agent has stopped. Approvals beyond the first batch remain, and those created concurrently.
  while (await call.change((change) => cancelAgentApprovals(change, [agentId], ending, 'AGENT_NOT_OPERATIONAL')));
  return ended;
};
