import type { Decision } from '@svc/contract/actions/decisions.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { ERRORS, type ErrorCode } from '@svc/contract/tables/errors.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Command } from '@svc/enforcement/facts/command.ts';
import type { OnProgress } from '@svc/enforcement/facts/progress.ts';
import { wholeDecision } from '@svc/enforcement/govern/answer.ts';
import { govern } from '@svc/enforcement/govern/govern.ts';
import { stopNow } from '@svc/enforcement/govern/stop-now.ts';
import { orRefusal } from '@svc/http/answers/error-to-wire.ts';
import type { Call } from '@svc/http/calls/call.ts';
import type { A2aAnswer } from '@svc/http/wires/a2a.ts';
import {
  A2A_CODES,
  type A2aMessage,
  a2aError,
  a2aRefusal,
  a2aResult,
  isA2aFault,
  type RefusalFacts,
  readA2aMessage,
} from '@svc/peers/a2a/front/read-request.ts';
import { STREAMING_METHODS } from '@svc/peers/a2a/upstream/call.ts';
import { answerAgain } from '../../../actions/actions/repeats/answer-again.ts';
import type { GatewayDeps } from '../../../deps.ts';
import { browserRefusal } from '../../mcp/answering/browser-refusal.ts';
import { type A2aTool, findConnectedTool, isStillVerified } from './connected-tool.ts';

type Members = Readonly<Record<string, unknown>>;
type A2aCall = Call<Endpoints['callA2aConnection']>;

type Request = {
  readonly message: A2aMessage;
  readonly tool: A2aTool;
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress | undefined;
};

const newCommand = (call: A2aCall, deps: GatewayDeps, { message, tool, signal, onProgress }: Request): Command => {
  const { agent, idempotencyKey } = call;
  const { parameters, own } = message;
  const parametersJson = JSON.stringify(parameters);
  const { 'approval-id': approval_id, 'delegation-id': delegation_id } = own;
  const request = {
    tool: tool.name,
    parameters,
    ...(approval_id === undefined ? {} : { approval_id }),
    ...(delegation_id === undefined ? {} : { delegation_id }),
  };
  return {
    askedBy: 'act',
    organizationId: agent.organizationId,
    agentId: agent.agentId,
    principal: { type: 'AGENT', id: agent.agentId, name: null },
    session: { id: agent.sessionId, generation: agent.generation, series: agent.sessionSeries, context: agent.context },
    source: { ip: call.sourceIp, sdk_name: agent.sdkName ?? undefined },
    request,
    parametersJson,
    parametersBytes: Buffer.byteLength(parametersJson),
    requestId: call.requestId,
    traceId: call.traceId,
    idempotency:
      idempotencyKey === undefined ? null : { key: idempotencyKey, hash: deps.requestHashes(JSON.stringify([tool.name, parameters, own])) },
    onCall: call.onCall,
    inTurn: call.inTurn,
    watcher: call.watcher,
    attach: deps.oneAtATime,
    signal,
    ...(onProgress === undefined ? {} : { onProgress }),
  };
};

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Facts that an error states of a decision. */
const errorFacts = (deps: GatewayDeps, code: ErrorCode, { action_id, approval, request_id, details }: Partial<Decision>): RefusalFacts => {
  const approvalId = approval?.approval_id;
  const link =
    approvalId === undefined || deps.settings.baseUrl === undefined ? undefined : `${deps.settings.baseUrl}/approvals/${approvalId}`;
  const remedy = approvalId === undefined ? ERRORS[code].remedy : 'A person has to approve it. Then send the same message again.';
  const known = { action_id: action_id ?? undefined, request_id, approval_id: approvalId, approval_url: link, remedy };
  const metadata = Object.fromEntries(Object.entries(known).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  const faults = details?.faults as RefusalFacts['faults'];
  return faults === undefined ? { metadata } : { metadata, faults };
};

const allowedMessage = ({ id }: A2aMessage, { execution }: Decision): Members => {
  const result = execution?.result;
  if (isMembers(result)) return a2aResult(id, result);
  const reason = execution?.reason ?? 'The mode of the environment lets nothing happen.';
  return a2aRefusal(id, 'EXECUTION_FAILED', `The message was not sent: ${reason}`, { metadata: {} });
};

/** The error that the remote agent answered with; undefined if it answered with none. */
const remoteError = ({ execution }: Decision): { code: number; message: string } | undefined => {
  const error = isMembers(execution?.result) ? execution.result.error : undefined;
  return isMembers(error) && typeof error.code === 'number' ? { code: error.code, message: String(error.message) } : undefined;
};

const INTERRUPTED: readonly (string | null)[] = ['EXECUTION_FAILED', 'EXECUTION_TIMEOUT'];

/** Decides, sends, and returns the JSON-RPC message for the agent. */
const decide = async (call: A2aCall, deps: GatewayDeps, request: Request): Promise<Members> => {
  const { message, tool } = request;
  const command = newCommand(call, deps, request);
  const governed = await govern(deps.pipeline, command);
  const settled =
    !isRefusal(governed) && 'replayed' in governed
      ? await answerAgain(call, governed.replayed, () => stopNow(deps.pipeline, command))
      : isRefusal(governed)
        ? governed
        : wholeDecision(governed);
  if (isRefusal(settled)) {
    const { refused: code, details } = settled;
    const facts = errorFacts(deps, code, {
      ...{ request_id: call.requestId, details: details ?? {} },
      ...(details?.decision as Partial<Decision> | undefined),
    });
    return a2aRefusal(message.id, code, settled.message ?? ERRORS[code].message, facts);
  }
  const decision = settled as Decision;
  const code = decision.code as ErrorCode | null;
  if (code === null) return allowedMessage(message, decision);
  const error = remoteError(decision);
  if (error !== undefined) return a2aError(message.id, error);
  if (INTERRUPTED.includes(code) && !(await isStillVerified(deps, call.agent, tool.a2a.connection_id))) {
    const reason = 'The connection to the remote agent was blocked while the request was in progress.';
    return a2aRefusal(message.id, 'A2A_CONNECTION_BLOCKED', reason, errorFacts(deps, 'A2A_CONNECTION_BLOCKED', decision));
  }
  return a2aRefusal(message.id, code, decision.execution?.reason ?? decision.reason, errorFacts(deps, code, decision));
};

/** Parts of a result, which wait for a subscriber. */
const newParts = (id: A2aMessage['id']) => {
  const early: Members[] = [];
  let listener: ((message: Members) => void) | undefined;
  const pass = (message: Members): void => {
    if (listener !== undefined) listener(message);
    else if (early.length < LIMITS.a2a.eventsWaitingMax) early.push(message);
  };
  const onProgress: OnProgress = ({ part }) => {
    if (part !== undefined) pass(a2aResult(id, part));
  };
  return {
    onProgress,
    subscribe: (next: (message: Members) => void): void => {
      listener = next;
      for (const message of early.splice(0)) next(message);
    },
  };
};

/** Answers one message of an agent to the remote agent of a connection. */
export const answerA2a = async (call: A2aCall, deps: GatewayDeps): Promise<A2aAnswer | Refusal> => {
  const foreign = browserRefusal(call.header('host'), call.header('origin'), deps.tokenScope.audience);
  const { id } = call.body;
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  if (foreign !== undefined) return { message: a2aError(known, { code: A2A_CODES.refused, message: foreign }) };
  const message = readA2aMessage(call.body, call.header('a2a-version'));
  if (isA2aFault(message)) return { message: a2aError(known, message) };
  const found = await findConnectedTool(deps, call.agent, call.params.a2aConnectionId);
  if (isRefusal(found)) return found;
  const gone = new AbortController();
  const isStream = STREAMING_METHODS.includes(message.method);
  const parts = newParts(message.id);
  const request = { message, tool: found.tool, signal: gone.signal, onProgress: isStream ? parts.onProgress : undefined };
  const last = orRefusal(
    () => decide(call, deps, request),
    (error) => call.log.error({ err: error, request_id: call.requestId }, 'an A2A call failed'),
  ).then((result) =>
    isRefusal(result) ? a2aError(message.id, { code: A2A_CODES.internalError, message: 'The service failed. Try again.' }) : result,
  );
  return isStream ? { last, subscribe: parts.subscribe, cancel: () => gone.abort() } : { message: await last };
};
