import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { endAgent } from '@svc/operations/agents/agents/end-agent.ts';
import { cancelApprovalsOf, revokeDelegationsOf } from '@svc/operations/agents/agents/end-agents.ts';
import type { AgentsDeps } from '../deps.ts';

/** The end of an identity, for good. */
export const revokeAgent: Handler<Endpoints['revokeAgent'], AgentsDeps> = async (call) => {
  const { agentId } = call.params;
  const ending = { scope: call.scope, reason: call.body.reason, now: call.now };
  const revoked = await call.change((change) => endAgent(change, { ...ending, agentId }));
  if (isRefusal(revoked)) return revoked;
  // The agent is stopped by now. What is left are approvals and delegations beyond the first batch, and those of that very moment.
  while (await call.change((change) => cancelApprovalsOf(change, [agentId], ending)));
  while (await call.change((change) => revokeDelegationsOf(change, [agentId], ending)));
  return revoked;
};
