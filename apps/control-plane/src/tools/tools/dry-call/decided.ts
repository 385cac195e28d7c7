import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Command } from '@svc/enforcement/facts/decision-request.ts';
import { buildDecisionResponse } from '@svc/enforcement/govern/answer.ts';
import { govern } from '@svc/enforcement/govern/govern.ts';
import type { Call } from '@svc/http/calls/call.ts';
import { isInScope } from '../../../actions/pipeline/is-in-scope.ts';
import type { ToolsDeps } from '../../deps.ts';

const WRITTEN = 'a dry run came to what only a decision that is written comes to';

type DryCallCall = Call<Endpoints['dryCallTool']>;

/** Returns the decision if the agent asked now: a dry run that writes and takes nothing. */
export const decideDryRun = async (call: DryCallCall, deps: ToolsDeps, tool: string, agentId: string) => {
  const inScope = await isInScope(deps.pipeline, call, call.scope, agentId);
  if (isRefusal(inScope)) return inScope;
  if (!inScope) return call.refuse('NOT_FOUND', 'The agent does not exist.');
  const { parameters = {} } = call.body;
  const parametersJson = JSON.stringify(parameters);
  const command: Command = {
    askedBy: 'evaluate',
    organizationId: call.caller.organizationId,
    agentId,
    // Rules see what they would see if the agent itself asked.
    principal: { type: 'AGENT', id: agentId, name: null },
    session: null,
    source: null,
    request: { tool, parameters, dry_run: true },
    parametersJson,
    parametersBytes: Buffer.byteLength(parametersJson),
    requestId: call.requestId,
    traceId: call.traceId,
    idempotency: null,
    inTurn: call.inTurn,
  };
  const governed = await call.inTurn(() => govern(deps.pipeline, command));
  if ('replayed' in governed) throw new Error(WRITTEN);
  if (!isRefusal(governed)) return buildDecisionResponse(governed);
  const { refused, message, details } = governed;
  if (refused === 'IDEMPOTENCY_KEY_REUSED' || refused === 'AUDIT_SERVICE_UNAVAILABLE' || refused === 'RATE_LIMITED')
    throw new Error(WRITTEN);
  return call.refuse(refused, message, details);
};
