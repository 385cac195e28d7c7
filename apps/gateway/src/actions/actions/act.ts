import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Command } from '@svc/enforcement/facts/decision-request.ts';
import { govern } from '@svc/enforcement/govern/govern.ts';
import { stopNow } from '@svc/enforcement/govern/stop-now.ts';
import { buildActionReply } from '@svc/http/answers/decision-reply.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { GatewayDeps } from '../../deps.ts';
import { answerAgain } from './repeats/answer-again.ts';

const NO_PARAMETERS = '{}';

/** Requests a protected action. */
export const act: Handler<Endpoints['act'], GatewayDeps> = async (call, deps) => {
  const { agent, body, idempotencyKey } = call;
  const parametersJson = body.parameters === undefined ? NO_PARAMETERS : JSON.stringify(body.parameters);
  const command: Command = {
    askedBy: 'act',
    organizationId: agent.organizationId,
    agentId: agent.agentId,
    principal: { type: 'AGENT', id: agent.agentId, name: null },
    session: { id: agent.sessionId, generation: agent.generation, series: agent.sessionSeries, context: agent.context },
    source: { ip: call.sourceIp, sdk_name: agent.sdkName ?? undefined },
    request: body,
    parametersJson,
    parametersBytes: Buffer.byteLength(parametersJson),
    requestId: call.requestId,
    traceId: call.traceId,
    idempotency: idempotencyKey === undefined ? null : { key: idempotencyKey, hash: deps.requestHashes(JSON.stringify(body)) },
    onCall: call.onCall,
    inTurn: call.inTurn,
    watcher: call.watcher,
  };
  const governed = await govern(deps.pipeline, command);
  if (isRefusal(governed)) return governed;
  return 'replayed' in governed ? answerAgain(call, governed.replayed, () => stopNow(deps.pipeline, command)) : buildActionReply(governed);
};
