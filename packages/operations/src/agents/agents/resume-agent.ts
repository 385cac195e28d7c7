import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { liftStop } from '../stops-by-people.ts';
import { buildLifecycleEvent, changeLifecycle } from './change-lifecycle.ts';
import { findIsolationRefusal } from './isolation-refusal.ts';
import { withdrawAgentApprovals } from './withdraw-agent-approvals.ts';

type ResumeAgentRequest = CallContext & {
  readonly body: EndpointBody<Endpoints['resumeAgent']>;
  readonly agentId: string;
  readonly holds: (permission: 'agent:suspend' | 'emergency:execute') => boolean;
  readonly steppedUpUntil: string | null;
};

const suspensionRefusal = ({ holds }: ResumeAgentRequest) =>
  holds('agent:suspend')
    ? undefined
    : buildRefusal('PERMISSION_DENIED', 'Lifting a suspension requires agent:suspend.', { permission: 'agent:suspend' });

/**
 * Resumes an agent. Lifting a restriction set by security requires the permission that sets it, and a reason. Approvals that were open
 * before the restriction are withdrawn, since the agent may not have been the one who requested them.
 */
export const resumeAgent = async (change: Change<EmittedBy<Endpoints['resumeAgent']>>, request: ResumeAgentRequest) => {
  const { tx, emit } = change;
  const { reason } = request.body;
  const agent = { organizationId: request.scope.organization_id, agentId: request.agentId };
  const step = { ...agent, operation: 'resume', by: request.actor, now: request.now } as const;
  const changed = await changeLifecycle(tx, step, (lifted) => {
    const refused = lifted === 'ISOLATION' ? findIsolationRefusal(request) : suspensionRefusal(request);
    if (refused) return refused;
    return reason === undefined ? refuseBody('/reason', 'Lifting a security restriction requires a reason.') : undefined;
  });
  if (isRefusal(changed)) return changed;
  const stopped = await liftStop(tx, agent.organizationId, { subject_id: agent.agentId, stop: 'STATUS' }, request.actor);
  if (stopped) return stopped;
  emit('agent.resumed', buildLifecycleEvent(changed, reason));
  const ending = { scope: request.scope, reason: reason ?? '', now: request.now };
  if (changed.from !== 'PAUSED') await withdrawAgentApprovals(change, [step.agentId], ending);
  return changed.agent;
};
