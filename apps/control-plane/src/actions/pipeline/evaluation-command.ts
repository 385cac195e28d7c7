import type { ActionRequest } from '@svc/contract/actions/actions.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Command } from '@svc/enforcement/facts/decision-request.ts';
import type { Call } from '@svc/http/calls/call.ts';

type Asked = Pick<Call<Endpoints['evaluateAction']>, 'caller' | 'sourceIp' | 'requestId' | 'traceId' | 'inTurn' | 'watcher'>;

/** Builds the command that decides and records a request for an agent on behalf of the caller, and never executes it. */
export const buildEvaluationCommand = (
  call: Asked,
  agentId: string,
  request: ActionRequest,
  idempotency: Command['idempotency'] = null,
): Command => {
  const parametersJson = JSON.stringify(request.parameters ?? {});
  return {
    askedBy: 'evaluate',
    organizationId: call.caller.organizationId,
    agentId,
    principal: call.caller.actor,
    session: null,
    source: { ip: call.sourceIp },
    request,
    parametersJson,
    parametersBytes: Buffer.byteLength(parametersJson),
    requestId: call.requestId,
    traceId: call.traceId,
    idempotency,
    inTurn: call.inTurn,
    watcher: call.watcher,
  };
};
