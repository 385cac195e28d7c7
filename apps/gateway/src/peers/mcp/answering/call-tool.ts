import type { Decision } from '@svc/contract/actions/decisions.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { ERRORS, type ErrorCode } from '@svc/contract/tables/errors.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Command } from '@svc/enforcement/facts/decision-request.ts';
import type { OnProgress } from '@svc/enforcement/facts/progress.ts';
import { buildDecisionResponse } from '@svc/enforcement/govern/answer.ts';
import { govern } from '@svc/enforcement/govern/govern.ts';
import { stopNow } from '@svc/enforcement/govern/stop-now.ts';
import type { Call } from '@svc/http/calls/call.ts';
import { isPageMember } from '@svc/peers/mcp/definitions/page-member.ts';
import { resultMessage } from '@svc/peers/mcp/front/messages.ts';
import type { McpMessage, RpcId } from '@svc/peers/mcp/front/read-request.ts';
import { answerAgain } from '../../../actions/actions/repeats/answer-again.ts';
import type { GatewayDeps } from '../../../deps.ts';
import type { Target } from './find-target.ts';
import { formatFailure, formatRefusal, formatResult, formatUnknown } from './result-forms.ts';

type Members = Readonly<Record<string, unknown>>;
export type McpCall = Omit<Call<Endpoints['callMcpServers']>, 'params'>;

/** A request that calls a tool, resource or prompt, and what it calls. */
export type McpToolCall = {
  readonly id: RpcId;
  readonly message: McpMessage;
  readonly target: Target;
  /** Returns the most similar name of a tool that the agent may use. */
  readonly findNearest: () => string | null;
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress | undefined;
  /** Responds that the call waits for an approval. */
  readonly onWaiting: (approvalId: string) => void;
};

const NAME_CHARS_MAX = 100;
const DECISION_META = 'svc/decision';
const APPROVAL_META = 'svc/approval-id';
const DELEGATION_META = 'svc/delegation-id';
const KEY_META = 'svc/idempotency-key';
/** Codes of a tool that the agent cannot see: for it the tool does not exist. */
const UNSEEN: readonly string[] = ['NOT_FOUND', 'CAPABILITY_NOT_GRANTED', 'TOOL_NOT_AUTHORIZED'];

const readText = (meta: Members, name: string): string | undefined => {
  const value = meta[name];
  return typeof value === 'string' && value.length <= NAME_CHARS_MAX ? value : undefined;
};

const newCommand = (call: McpCall, deps: GatewayDeps, asked: McpToolCall, approvalId: string | undefined): Command => {
  const { agent } = call;
  const { meta, clientName } = asked.message;
  const parametersJson = JSON.stringify(asked.target.arguments);
  const delegation_id = readText(meta, DELEGATION_META);
  const request = {
    tool: asked.target.offered?.tool.name ?? asked.target.name.slice(0, NAME_CHARS_MAX),
    parameters: asked.target.arguments,
    ...(approvalId === undefined ? {} : { approval_id: approvalId }),
    ...(delegation_id === undefined ? {} : { delegation_id }),
  };
  const given = call.idempotencyKey ?? readText(meta, KEY_META);
  // The key belongs to the waiting action. The call that uses the approval is another action, with a key derived from both.
  const key = given === undefined || approvalId === undefined ? given : `${given}/${approvalId}`;
  return {
    askedBy: 'act',
    organizationId: agent.organizationId,
    agentId: agent.agentId,
    principal: { type: 'AGENT', id: agent.agentId, name: null },
    session: { id: agent.sessionId, generation: agent.generation, series: agent.sessionSeries, context: agent.context },
    source: { ip: call.sourceIp, sdk_name: clientName ?? agent.sdkName ?? undefined },
    request,
    parametersJson,
    parametersBytes: Buffer.byteLength(parametersJson),
    requestId: call.requestId,
    traceId: call.traceId,
    idempotency:
      key === undefined
        ? null
        : { key, hash: deps.requestHashes(JSON.stringify([request.tool, asked.target.arguments, delegation_id ?? null])) },
    onCall: call.onCall,
    inTurn: call.inTurn,
    watcher: call.watcher,
    attach: deps.oneAtATime,
    signal: asked.signal,
    ...(asked.onProgress === undefined ? {} : { onProgress: asked.onProgress }),
  };
};

/** Result of one decision: the decision itself, or a refusal without one. */
type Outcome = { readonly decision: Decision } | { readonly refused: Refusal };

const decideOnce = async (call: McpCall, deps: GatewayDeps, asked: McpToolCall, approvalId: string | undefined): Promise<Outcome> => {
  const command = newCommand(call, deps, asked, approvalId);
  const governed = await govern(deps.pipeline, command);
  if (isRefusal(governed)) return { refused: governed };
  if (!('replayed' in governed)) return { decision: buildDecisionResponse(governed) };
  const again = await answerAgain(call, governed.replayed, () => stopNow(deps.pipeline, command));
  if (!isRefusal(again)) return { decision: again as Decision };
  const decision = again.details?.decision as Decision | undefined;
  return decision === undefined ? { refused: again } : { decision };
};

/** Returns the approval that a decision waits for; undefined if there is none. */
const findPending = (outcome: Outcome): string | undefined => {
  if (!('decision' in outcome) || outcome.decision.code !== 'APPROVAL_REQUIRED') return undefined;
  return outcome.decision.approval?.approval_id;
};

/** Returns the approval that an identical call used meanwhile; undefined otherwise. */
const usedElsewhere = (outcome: Outcome): string | undefined => {
  if (!('decision' in outcome) || outcome.decision.code !== 'APPROVAL_NOT_GRANTED') return undefined;
  const { details } = outcome.decision;
  return details?.status === 'CONSUMED' && typeof details.approval_id === 'string' ? details.approval_id : undefined;
};

/** Answers an identical call that waited for the same approval with the outcome of the call that used it. */
const outcomeOfUse = async (call: McpCall, deps: GatewayDeps, asked: McpToolCall, approvalId: string): Promise<Outcome | undefined> => {
  const approval = await deps.pipeline.approvals.find(call.agent.organizationId, approvalId);
  if (approval === null || approval.agent_id !== call.agent.agentId) return undefined;
  const command = newCommand(call, deps, asked, approvalId);
  const again = await answerAgain(call, approval.action_id, () => stopNow(deps.pipeline, command));
  if (!isRefusal(again)) return { decision: again as Decision };
  const decision = again.details?.decision as Decision | undefined;
  return decision === undefined ? { refused: again } : { decision };
};

/** Decides, and holds a call that needs an approval until it is decided or the timeout. */
const decide = async (call: McpCall, deps: GatewayDeps, asked: McpToolCall): Promise<Outcome> => {
  let outcome = await decideOnce(call, deps, asked, readText(asked.message.meta, APPROVAL_META));
  const { defaultHoldSeconds, holdSecondsMax } = LIMITS.mcpServers;
  const holdSeconds = asked.onProgress === undefined ? (asked.target.offered?.tool.mcp.hold_seconds ?? defaultHoldSeconds) : holdSecondsMax;
  const until = performance.now() + holdSeconds * 1_000;
  for (;;) {
    const used = usedElsewhere(outcome);
    if (used !== undefined) return (await outcomeOfUse(call, deps, asked, used)) ?? outcome;
    const approvalId = findPending(outcome);
    if (approvalId === undefined) return outcome;
    const leftMs = until - performance.now();
    if (leftMs <= 0 || asked.signal.aborted) return outcome;
    asked.onWaiting(approvalId);
    call.onRest();
    const waiting = { organizationId: call.agent.organizationId, agentId: call.agent.agentId, approvalId };
    const isHeld = await deps.sharedWaits(waiting, leftMs, asked.signal);
    if (!isHeld || asked.signal.aborted) return outcome;
    outcome = await decideOnce(call, deps, asked, approvalId);
  }
};

const explainRemedy = (deps: GatewayDeps, code: ErrorCode, { approval }: Partial<Decision>): string => {
  if (code !== 'APPROVAL_REQUIRED' || approval === undefined) return ERRORS[code].remedy;
  const link = deps.settings.baseUrl === undefined ? '' : ` at ${deps.settings.baseUrl}/approvals/${approval.approval_id}`;
  const remedy = approval.remedy === undefined ? '' : ` ${approval.remedy}`;
  return `A person has to approve it${link}.${remedy} Then call the same tool with the same arguments again; nothing else is needed. (${approval.approval_id})`;
};

const refusedMessage = (deps: GatewayDeps, asked: McpToolCall, code: ErrorCode, reason: string, decision: Partial<Decision>): Members => {
  const { action_id = null, mode, approval, request_id } = decision;
  const shown = { action_id, mode, request_id, ...(approval === undefined ? {} : { approval_id: approval.approval_id }) };
  return formatRefusal(asked.target, asked.id, { code, reason, remedy: explainRemedy(deps, code, decision), decision: shown });
};

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Builds the response to an allowed call. A call that was not executed is an error for the model. */
const allowedMessage = ({ id, target, message }: McpToolCall, decision: Decision, code: ErrorCode | null): Members => {
  const { action_id, mode, execution, decision: effect } = decision;
  const meta = { action_id, decision: effect, mode, ...(code === null ? {} : { code }) };
  const result = execution?.result;
  if (isMembers(result)) {
    const own = Object.fromEntries(Object.entries(isMembers(result._meta) ? result._meta : {}).filter(([member]) => !isPageMember(member)));
    return resultMessage(id, formatResult(target, message.isModern, { ...result, _meta: { ...own, [DECISION_META]: meta } }));
  }
  const text = `The tool was not called: ${execution?.reason ?? 'the mode of the environment lets nothing happen.'}`;
  const refused = { resultType: 'complete', isError: true, content: [{ type: 'text', text }], _meta: { [DECISION_META]: meta } };
  return formatFailure(target, id, { code: code ?? 'EXECUTION_FAILED', text, result: refused });
};

/** Decides, executes and answers a tool call. Never throws because of the client, the tool or the server. */
export const callTool = async (call: McpCall, deps: GatewayDeps, asked: McpToolCall): Promise<Members> => {
  const outcome = await decide(call, deps, asked);
  if ('refused' in outcome) {
    const { refused: code, message } = outcome.refused;
    if (UNSEEN.includes(code)) return formatUnknown(asked.target, asked.id, asked.findNearest());
    return refusedMessage(deps, asked, code, message ?? ERRORS[code].message, {
      request_id: call.requestId,
      ...outcome.refused.details,
    });
  }
  const { decision } = outcome;
  const code = decision.code as ErrorCode | null;
  if (code === null) return allowedMessage(asked, decision, null);
  if (UNSEEN.includes(code) && decision.mode !== 'OBSERVE' && decision.mode !== 'SIMULATE')
    return formatUnknown(asked.target, asked.id, asked.findNearest());
  // A tool that reports an error has responded: its own words are passed to the model.
  if (isMembers(decision.execution?.result)) return allowedMessage(asked, decision, code);
  return refusedMessage(deps, asked, code, decision.reason, decision);
};
