import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { changeLifecycle, lifecycleEvent } from '@svc/operations/agents/agents/change-lifecycle.ts';
import { cancelApprovalsOf } from '@svc/operations/agents/agents/end-agents.ts';
import type { ControlDeps } from '../../deps.ts';

/** The orderly end of an agent that was stopped before. What it handed on holds no longer, since it is not in operation. */
export const decommissionAgent: Handler<Endpoints['decommissionAgent'], ControlDeps> = async (call) => {
  const { scope, now } = call;
  const { agentId } = call.params;
  const ending = { scope, reason: call.body.reason, now };
  const ended = await call.change(async (change) => {
    const agent = { organizationId: scope.organization_id, agentId };
    const changed = await changeLifecycle(change.tx, { ...agent, operation: 'decommission', by: call.caller.actor, now });
    if (isRefusal(changed)) return changed;
    change.emit('agent.decommissioned', lifecycleEvent(changed, ending.reason));
    await cancelApprovalsOf(change, [agentId], ending, 'AGENT_NOT_OPERATIONAL');
    return changed.agent;
  });
  if (isRefusal(ended)) return ended;
  // The agent is stopped by now. What is left are approvals beyond the first batch, and those of that very moment.
  while (await call.change((change) => cancelApprovalsOf(change, [agentId], ending, 'AGENT_NOT_OPERATIONAL')));
  return ended;
};
