import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { decommissionAgent as decommission } from '@svc/operations/agents/agents/decommission-agent.ts';
import { cancelApprovalsOf } from '@svc/operations/agents/agents/end-agents.ts';
import type { AgentsDeps } from '../deps.ts';

export const decommissionAgent: Handler<Endpoints['decommissionAgent'], AgentsDeps> = async (call) => {
  const { agentId } = call.params;
  const ending = { scope: call.scope, reason: call.body.reason, now: call.now };
  const ended = await call.change((change) => decommission(change, { ...ending, agentId, actor: call.caller.actor }));
  if (isRefusal(ended)) return ended;
  // The agent is stopped by now. What is left are approvals beyond the first batch, and those of that very moment.
  while (await call.change((change) => cancelApprovalsOf(change, [agentId], ending, 'AGENT_NOT_OPERATIONAL')));
  return ended;
};
