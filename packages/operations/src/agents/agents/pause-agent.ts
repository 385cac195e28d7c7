import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { buildLifecycleEvent, changeLifecycle } from './change-lifecycle.ts';

type PauseAgentRequest = CallContext & { readonly agentId: string; readonly body: EndpointBody<Endpoints['pauseAgent']> };

export const pauseAgent = async ({ tx, emit }: Change<'agent.paused'>, request: PauseAgentRequest) => {
  const agent = { organizationId: request.scope.organization_id, agentId: request.agentId };
  const changed = await changeLifecycle(tx, { ...agent, operation: 'pause', by: request.actor, now: request.now });
  if (isRefusal(changed)) return changed;
  emit('agent.paused', buildLifecycleEvent(changed, request.body.reason));
  return changed.agent;
};
