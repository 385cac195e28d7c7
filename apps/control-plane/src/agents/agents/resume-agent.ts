import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { changeLifecycle, lifecycleEvent } from '@svc/operations/agents/agents/change-lifecycle.ts';
import { withdrawApprovalsOf } from '@svc/operations/agents/agents/withdraw-approvals-of.ts';
import { liftStop } from '@svc/operations/agents/stops-by-people.ts';
import type { ControlDeps } from '../../deps.ts';
import { isolationRefusal } from './restriction/isolation-refusal.ts';

const suspensionRefusal = ({ holds, refuse }: Call<Endpoints['resumeAgent']>) =>
  holds('agent:suspend')
    ? undefined
    : refuse('PERMISSION_DENIED', 'Lifting a suspension requires agent:suspend.', { permission: 'agent:suspend' });

/**
 * Resumes an agent. Lifting a restriction that security set requires the permission that sets it, and a reason; the approvals that the agent
 * had open before the restriction are withdrawn, since the agent may not have been the one who requested them.
 */
export const resumeAgent: Handler<Endpoints['resumeAgent'], ControlDeps> = (call) =>
  call.change(async (change) => {
    const { tx, emit } = change;
    const { reason } = call.body;
    const agent = { organizationId: call.scope.organization_id, agentId: call.params.agentId };
    const step = { ...agent, operation: 'resume', by: call.caller.actor, now: call.now } as const;
    const changed = await changeLifecycle(tx, step, (lifted) => {
      const refused = lifted === 'ISOLATION' ? isolationRefusal(call) : suspensionRefusal(call);
      if (refused) return refused;
      return reason === undefined ? call.fault('/reason', 'Lifting a security restriction requires a reason.') : undefined;
    });
    if (isRefusal(changed)) return changed;
    const stopped = await liftStop(tx, agent.organizationId, { subject_id: agent.agentId, stop: 'STATUS' }, call.caller.actor);
    if (stopped) return stopped;
    emit('agent.resumed', lifecycleEvent(changed, reason));
    const ending = { scope: call.scope, reason: reason ?? '', now: call.now };
    if (changed.from !== 'PAUSED') await withdrawApprovalsOf(change, [step.agentId], ending);
    return changed.agent;
  });
