import type { Decision } from '@svc/contract/actions/decisions.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { ERRORS, type ErrorCode } from '@svc/contract/tables/errors.ts';
import type { Command } from '@svc/enforcement/facts/decision-request.ts';
import type { OnProgress } from '@svc/enforcement/facts/progress.ts';
import { buildDecisionResponse } from '@svc/enforcement/govern/answer.ts';
import { govern } from '@svc/enforcement/govern/govern.ts';
import { stopNow } from '@svc/enforcement/govern/stop-now.ts';
import type { Call } from '@svc/http/calls/call.ts';
import { type A2aMessage, a2aError, a2aResult, createA2aRefusal, type RefusalFacts } from '@svc/peers/a2a/front/read-request.ts';
import { answerAgain } from '../../../actions/actions/repeats/answer-again.ts';
import type { GatewayDeps } from '../../../deps.ts';
import { type A2aTool, isStillVerified, type MessageSender } from './connected-tool.ts';

type Base = Call<Endpoints['callA2aConnection']>;
export type A2aCall = Pick<
  Base,
  'body' | 'header' | 'sourceIp' | 'requestId' | 'traceId' | 'idempotencyKey' | 'onCall' | 'inTurn' | 'watcher' | 'database' | 'log'
>;

/** The caller of an A2A endpoint: an agent, or the remote agent of an inbound connection. */
export type A2aCaller = MessageSender & Pick<Command, 'principal' | 'session'> & { readonly sdkName: string | undefined };

export type A2aMessageRequest = {
  readonly caller: A2aCaller;
  readonly message: A2aMessage;
  readonly tool: A2aTool;
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress | undefined;
  /** Answers a message that waits for an approval. Without it the response is an error that names the approval. */
  readonly onHeld?: ((decision: Decision) => Promise<JsonObject>) | undefined;
};

const newCommand = (call: A2aCall, deps: GatewayDeps, { caller, message, tool, signal, onProgress }: A2aMessageRequest): Command => {
  const { idempotencyKey } = call;
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
    organizationId: caller.organizationId,
    agentId: caller.agentId,
    principal: caller.principal,
    session: caller.session,
    source: { ip: call.sourceIp, sdk_name: caller.sdkName },
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

const isMembers = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

const isPeer = ({ caller }: A2aMessageRequest): boolean => caller.session === null;

type Facts = RefusalFacts & { readonly text: string };

/**
 * Returns the facts of a decision for an error. A remote agent gets the code and the ids; reasons and links are for the own organization.
 */
const errorFacts = (deps: GatewayDeps, request: A2aMessageRequest, code: ErrorCode, decision: Partial<Decision>, reason: string): Facts => {
  const { action_id, approval, request_id, details } = decision;
  const approvalId = approval?.approval_id;
  const { baseUrl } = deps.settings;
  const link = approvalId === undefined || baseUrl === undefined || isPeer(request) ? undefined : `${baseUrl}/approvals/${approvalId}`;
  const remedy = approvalId === undefined ? ERRORS[code].remedy : 'A person has to approve it. Then send the same message again.';
  const known = { action_id: action_id ?? undefined, request_id, approval_id: approvalId, approval_url: link, remedy };
  const shown = isPeer(request) ? { action_id: known.action_id, request_id } : known;
  const metadata = Object.fromEntries(Object.entries(shown).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  const faults = details?.faults as RefusalFacts['faults'];
  const text = isPeer(request) ? ERRORS[code].message : reason;
  return faults === undefined ? { metadata, text } : { metadata, text, faults };
};

const allowedMessage = ({ id }: A2aMessage, { execution }: Decision): JsonObject => {
  const result = execution?.result;
  if (isMembers(result)) return a2aResult(id, result);
  const reason = execution?.reason ?? 'The mode of the environment lets nothing happen.';
  return createA2aRefusal(id, 'EXECUTION_FAILED', `The message was not sent: ${reason}`, { metadata: {} });
};

/** Returns the error of the other agent; undefined if it sent none. */
const remoteError = ({ execution }: Decision): { code: number; message: string } | undefined => {
  const error = isMembers(execution?.result) ? execution.result.error : undefined;
  return isMembers(error) && typeof error.code === 'number' ? { code: error.code, message: String(error.message) } : undefined;
};

const INTERRUPTED: readonly (string | null)[] = ['EXECUTION_FAILED', 'EXECUTION_TIMEOUT'];

/** Statuses of an action whose message was not sent yet. */
const WAITING: readonly unknown[] = ['PENDING_APPROVAL', 'APPROVED'];

const governed = async (call: A2aCall, deps: GatewayDeps, request: A2aMessageRequest) => {
  const command = newCommand(call, deps, request);
  const outcome = await govern(deps.pipeline, command);
  if (isRefusal(outcome)) return outcome;
  if (!('replayed' in outcome)) return buildDecisionResponse(outcome);
  const again = { database: call.database, agent: request.caller as unknown as Base['agent'], refuse: buildRefusal as Base['refuse'] };
  const first = await answerAgain(again as Parameters<typeof answerAgain>[0], outcome.replayed, () => stopNow(deps.pipeline, command));
  const { status } = ((isRefusal(first) ? first.details?.decision : first) ?? {}) as Partial<Decision>;
  if (request.onHeld === undefined || !WAITING.includes(status)) return first;
  // A message that waits is decided again: it attaches to its approval, which delivers it once.
  const attached = await govern(deps.pipeline, { ...command, idempotency: null });
  if (isRefusal(attached)) return attached;
  return 'replayed' in attached ? first : buildDecisionResponse(attached);
};

/** Decides, sends, and returns the JSON-RPC message for the caller. */
export const decideMessage = async (call: A2aCall, deps: GatewayDeps, request: A2aMessageRequest): Promise<JsonObject> => {
  const { message, tool, onHeld } = request;
  const settled = await governed(call, deps, request);
  if (isRefusal(settled)) {
    const { refused: code, details } = settled;
    const known = { request_id: call.requestId, details: details ?? {}, ...(details?.decision as Partial<Decision> | undefined) };
    const { text, ...facts } = errorFacts(deps, request, code, known, settled.message ?? ERRORS[code].message);
    return createA2aRefusal(message.id, code, text, facts);
  }
  const decision = settled as Decision;
  const code = decision.code as ErrorCode | null;
  if (code === null) return allowedMessage(message, decision);
  const error = remoteError(decision);
  if (error !== undefined) return a2aError(message.id, error);
  if (code === 'APPROVAL_REQUIRED' && onHeld !== undefined && decision.approval !== undefined) return onHeld(decision);
  if (INTERRUPTED.includes(code) && !(await isStillVerified(deps, request.caller, tool.a2a.connection_id))) {
    const reason = 'The connection to the remote agent was blocked while the request was in progress.';
    return createA2aRefusal(
      message.id,
      'A2A_CONNECTION_BLOCKED',
      reason,
      errorFacts(deps, request, 'A2A_CONNECTION_BLOCKED', decision, reason),
    );
  }
  const { text, ...facts } = errorFacts(deps, request, code, decision, decision.execution?.reason ?? decision.reason);
  return createA2aRefusal(message.id, code, text, facts);
};
