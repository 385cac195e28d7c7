import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { changeLifecycle, lifecycleEvent } from '@svc/operations/agents/agents/change-lifecycle.ts';
import type { ControlDeps } from '../../deps.ts';

export const pauseAgent: Handler<Endpoints['pauseAgent'], ControlDeps> = (call) =>
  call.change(async ({ tx, emit }) => {
    const agent = { organizationId: call.scope.organization_id, agentId: call.params.agentId };
    const changed = await changeLifecycle(tx, { ...agent, operation: 'pause', by: call.caller.actor, now: call.now });
    if (isRefusal(changed)) return changed;
    emit('agent.paused', lifecycleEvent(changed, call.body.reason));
    return changed.agent;
  });
