import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { changeLifecycle, lifecycleEvent } from '@svc/operations/agents/agents/change-lifecycle.ts';
import type { ControlDeps } from '../../deps.ts';

/** Cuts an agent off at once; what it waits for can be used by nobody, and is withdrawn when it is let go on. */
export const isolateAgent: Handler<Endpoints['isolateAgent'], ControlDeps> = (call) =>
  call.change(async ({ tx, emit }) => {
    const agent = { organizationId: call.scope.organization_id, agentId: call.params.agentId };
    const changed = await changeLifecycle(tx, { ...agent, operation: 'isolate', by: call.caller.actor, now: call.now });
    if (isRefusal(changed)) return changed;
    emit('agent.isolated', lifecycleEvent(changed, call.body.reason));
    return changed.agent;
  });
