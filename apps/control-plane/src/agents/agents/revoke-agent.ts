import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { endAgent } from '@svc/operations/agents/agents/end-agent.ts';
import { cancelAgentApprovals, revokeAgentDelegations } from '@svc/operations/agents/agents/end-agents.ts';
import type { AgentsDeps } from '../deps.ts';

/** Revokes an agent; its identity ends permanently. */
export const revokeAgent: Handler<Endpoints['revokeAgent'], AgentsDeps> = async (call) => {
  const { agentId } = call.params;
  const ending = { scope: call.scope, reason: call.body.reason, now: call.now };
  const revoked = await call.change((change) => endAgent(change, { ...ending, agentId }));
  if (isRefusal(revoked)) return revoked;
  // The agent has stopped. Approvals and delegations beyond the first batch remain, and those created concurrently.
  while (await call.change((change) => cancelAgentApprovals(change, [agentId], ending)));
  while (await call.change((change) => revokeAgentDelegations(change, [agentId], ending)));
  return revoked;
};
