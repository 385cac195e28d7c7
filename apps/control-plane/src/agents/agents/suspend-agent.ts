import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { changeLifecycle, lifecycleEvent } from '@svc/operations/agents/agents/change-lifecycle.ts';
import type { ControlDeps } from '../../deps.ts';
import { isolationRefusal } from './restriction/isolation-refusal.ts';

export const suspendAgent: Handler<Endpoints['suspendAgent'], ControlDeps> = (call) =>
  call.change(async ({ tx, emit }) => {
    const agent = { organizationId: call.scope.organization_id, agentId: call.params.agentId };
    const step = { ...agent, operation: 'suspend', by: call.caller.actor, now: call.now } as const;
    const changed = await changeLifecycle(tx, step, () => isolationRefusal(call));
    if (isRefusal(changed)) return changed;
    emit('agent.suspended', lifecycleEvent(changed, call.body.reason));
    return changed.agent;
  });
