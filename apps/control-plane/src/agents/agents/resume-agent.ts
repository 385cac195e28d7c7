import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { changeLifecycle, lifecycleEvent } from '@svc/operations/agents/agents/change-lifecycle.ts';
import type { ControlDeps } from '../../deps.ts';

/** A pause is lifted by whoever may resume; what security set, only by whoever may set it, and with a reason. */
export const resumeAgent: Handler<Endpoints['resumeAgent'], ControlDeps> = (call) =>
  call.change(async ({ tx, emit }) => {
    const { reason } = call.body;
    const step = { organizationId: call.scope.organization_id, agentId: call.params.agentId, operation: 'resume', now: call.now } as const;
    const changed = await changeLifecycle(tx, step, () => {
      if (!call.holds('agent:suspend')) {
        return call.refuse('PERMISSION_DENIED', 'Lifting a security restriction needs agent:suspend.', { permission: 'agent:suspend' });
      }
      return reason === undefined ? call.fault('/reason', 'Lifting a security restriction needs a reason.') : undefined;
    });
    if (isRefusal(changed)) return changed;
    emit('agent.resumed', lifecycleEvent(changed, reason));
    return changed.agent;
  });
