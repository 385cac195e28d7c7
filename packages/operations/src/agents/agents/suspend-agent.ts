import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { buildLifecycleEvent, changeLifecycle } from './change-lifecycle.ts';
import { findIsolationRefusal } from './isolation-refusal.ts';

type SuspendAgentRequest = CallContext & {
  readonly agentId: string;
  readonly body: EndpointBody<Endpoints['suspendAgent']>;
  readonly holds: (permission: 'emergency:execute') => boolean;
  readonly steppedUpUntil: string | null;
};

export const suspendAgent = async ({ tx, emit }: Change<'agent.suspended'>, request: SuspendAgentRequest) => {
  const agent = { organizationId: request.scope.organization_id, agentId: request.agentId };
  const step = { ...agent, operation: 'suspend', by: request.actor, now: request.now } as const;
  const changed = await changeLifecycle(tx, step, () => findIsolationRefusal(request));
  if (isRefusal(changed)) return changed;
  emit('agent.suspended', buildLifecycleEvent(changed, request.body.reason));
  return changed.agent;
};
