import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { isPushMethod } from '@svc/domain/peers/a2a/push-notifications.ts';
import type { Call } from '@svc/http/calls/call.ts';
import type { A2aAnswer } from '@svc/http/wires/a2a.ts';
import { a2aError, PUSH_NOT_SUPPORTED } from '@svc/peers/a2a/front/read-request.ts';
import type { GatewayDeps } from '../../../deps.ts';
import { answerInParts } from './answer-in-parts.ts';
import { findConnectedTool } from './connected-tool.ts';
import { type A2aCaller, decideMessage } from './decide-message.ts';
import { isErrorMessage, readMessage } from './read-message.ts';

/** Answers one message of an agent for the remote agent of a connection. */
export const answerA2a = async (call: Call<Endpoints['callA2aConnection']>, deps: GatewayDeps): Promise<A2aAnswer | Refusal> => {
  const message = readMessage(call, deps);
  if (isErrorMessage(message)) return message;
  const { agent } = call;
  const found = await findConnectedTool(deps, agent, call.params.a2aConnectionId);
  if (isRefusal(found)) return found;
  if (isPushMethod(message.method) && !found.tool.a2a.push_notifications) return { message: a2aError(message.id, PUSH_NOT_SUPPORTED) };
  const caller: A2aCaller = {
    ...{ organizationId: agent.organizationId, environmentId: agent.environmentId, agentId: agent.agentId },
    principal: { type: 'AGENT', id: agent.agentId, name: null },
    session: { id: agent.sessionId, generation: agent.generation, series: agent.sessionSeries, context: agent.context },
    sdkName: agent.sdkName ?? undefined,
  };
  return answerInParts(call, message, ({ signal, onProgress }) =>
    decideMessage(call, deps, { caller, message, tool: found.tool, signal, onProgress }),
  );
};
