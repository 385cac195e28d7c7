import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { BodyOf } from '@svc/contract/rows/endpoint.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { Acting } from '../../people/auth/acting.ts';
import { changeLifecycle, lifecycleEvent } from './change-lifecycle.ts';

type IsolateAgentRequest = Acting & { readonly agentId: string; readonly body: BodyOf<Endpoints['isolateAgent']> };

/** Cuts an agent off at once; what it waits for can be used by nobody, and is withdrawn when it is let go on. */
export const isolateAgent = async ({ tx, emit }: Change<'agent.isolated'>, request: IsolateAgentRequest) => {
  const agent = { organizationId: request.scope.organization_id, agentId: request.agentId };
  const changed = await changeLifecycle(tx, { ...agent, operation: 'isolate', by: request.actor, now: request.now });
  if (isRefusal(changed)) return changed;
  emit('agent.isolated', lifecycleEvent(changed, request.body.reason));
  return changed.agent;
};
