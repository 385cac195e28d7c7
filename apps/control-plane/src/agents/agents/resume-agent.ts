import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { changeLifecycle, lifecycleEvent } from '@svc/operations/agents/agents/change-lifecycle.ts';
import { withdrawApprovalsOf } from '@svc/operations/agents/agents/withdraw-approvals-of.ts';
import type { ControlDeps } from '../../deps.ts';

/**
 * A pause is lifted by whoever may resume; what security set, only by whoever may set it, and with a reason. What the agent asked of people
 * before it was suspended or isolated is withdrawn then: nobody knows any more which of it was its own.
 */
export const resumeAgent: Handler<Endpoints['resumeAgent'], ControlDeps> = (call) =>
  call.change(async (change) => {
    const { tx, emit } = change;
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
    const ending = { scope: call.scope, reason: reason ?? '', now: call.now };
    if (changed.from !== 'PAUSED') await withdrawApprovalsOf(change, [step.agentId], ending);
    return changed.agent;
  });
