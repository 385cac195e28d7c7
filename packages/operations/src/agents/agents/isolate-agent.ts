import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { isConfirmed } from '@svc/domain/incidents/emergency/confirm-blast-radius.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { countWithAgent } from '@svc/postgres/incidents/emergency/count-agents.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { buildLifecycleEvent, changeLifecycle } from './change-lifecycle.ts';

type IsolateAgentRequest = CallContext & { readonly agentId: string; readonly body: EndpointBody<Endpoints['isolateAgent']> };

/**
 * Isolates an agent at once. Its approvals cannot be used, and are withdrawn when it resumes. A confirmed number is compared with the agents
 * that are stopped now, counted under the lock of the agent.
 */
export const isolateAgent = async (
  { tx, emit }: Change<'agent.isolated' | 'security.emergency_action_executed'>,
  request: IsolateAgentRequest,
) => {
  const agent = { organizationId: request.scope.organization_id, agentId: request.agentId };
  const changed = await changeLifecycle(tx, { ...agent, operation: 'isolate', by: request.actor, now: request.now });
  if (isRefusal(changed)) return changed;
  const { id, name } = changed.agent;
  const { reason, confirm_blast_radius: confirmed } = request.body;
  const { agents: actual } = await countWithAgent(tx, agent.organizationId, id, request.now);
  if (confirmed !== undefined && !isConfirmed(actual, confirmed))
    return buildRefusal(
      'CONFLICT',
      `The confirmed number is ${confirmed}, but isolating would now stop ${actual} agents. Read the preview of isolate-agent and confirm its number.`,
      { confirmed, now: actual },
    );
  const counted = confirmed === undefined ? {} : { confirmed };
  const data = { ...counted, control: 'isolate-agent', operation: 'execute', target: { type: 'agent', id, name }, reason, actual };
  emit('security.emergency_action_executed', { ...about.agent(changed.agent), data });
  emit('agent.isolated', buildLifecycleEvent(changed, reason));
  return changed.agent;
};
