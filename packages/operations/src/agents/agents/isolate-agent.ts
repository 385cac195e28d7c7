import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { BodyOf } from '@svc/contract/rows/endpoint.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { Acting } from '../../people/auth/acting.ts';
import { changeLifecycle, lifecycleEvent } from './change-lifecycle.ts';

type IsolateAgentRequest = Acting & { readonly agentId: string; readonly body: BodyOf<Endpoints['isolateAgent']> };

/** Isolates an agent at once. Its approvals cannot be used, and are withdrawn when it resumes. */
export const isolateAgent = async (
  { tx, emit }: Change<'agent.isolated' | 'security.emergency_action_executed'>,
  request: IsolateAgentRequest,
) => {
  const agent = { organizationId: request.scope.organization_id, agentId: request.agentId };
  const changed = await changeLifecycle(tx, { ...agent, operation: 'isolate', by: request.actor, now: request.now });
  if (isRefusal(changed)) return changed;
  const { id, name } = changed.agent;
  const data = { control: 'isolate-agent', operation: 'execute', target: { type: 'agent', id, name }, reason: request.body.reason };
  emit('security.emergency_action_executed', { ...about.agent(changed.agent), data });
  emit('agent.isolated', lifecycleEvent(changed, request.body.reason));
  return changed.agent;
};
