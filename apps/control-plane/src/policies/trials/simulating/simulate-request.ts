import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { buildDecisionResponse } from '@svc/enforcement/govern/answer.ts';
import { governSimulation } from '@svc/enforcement/simulate/govern-simulation.ts';
import type { Call } from '@svc/http/calls/call.ts';
import { resourcesExist } from '@svc/postgres/change/resource-exists.ts';
import type { PoliciesDeps } from '../../deps.ts';

type Simulating = Pick<
  Call<Endpoints['simulatePolicy']>,
  'database' | 'scope' | 'caller' | 'requestId' | 'traceId' | 'fault' | 'refuse'
> & { readonly body: EndpointBody<Endpoints['simulatePolicy']> };

/** Decides a request that is described as far as the caller knows it. Writes nothing. */
export const simulateRequest = async (call: Simulating, deps: PoliciesDeps) => {
  const { agentId, agent_id, tool, capability, ...rest } = call.body;
  const agent = agentId ?? agent_id ?? '';
  if (agentId !== undefined && agent_id !== undefined && agentId !== agent_id)
    return call.fault('/agent_id', 'Contradicts /agentId; give one of them.');
  if (!(await resourcesExist(call.database, call.scope, { agentId: agent }))) return call.refuse('NOT_FOUND', 'The agent does not exist.');
  const answered = await governSimulation(
    deps.pipeline,
    {
      organizationId: call.caller.organizationId,
      agentId: agent,
      // Rules see what they would see if the agent itself asked.
      principal: { type: 'AGENT', id: agent, name: null },
      session: null,
      request: { ...rest, tool: tool ?? '' },
      parametersJson: '{}',
      parametersBytes: 0,
      requestId: call.requestId,
      traceId: call.traceId,
      idempotency: null,
    },
    { tool, capability },
  );
  return isRefusal(answered) ? answered : buildDecisionResponse(answered);
};
