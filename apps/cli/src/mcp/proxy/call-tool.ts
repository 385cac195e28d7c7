import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import type { Governance } from '@svc/sdk/governance.ts';
import type { Decision } from '@svc/sdk/wire/answers.ts';
import { GovernanceError } from '@svc/sdk/wire/errors.ts';
import { type Id, newMessage, readParams, type StdioMessage } from '@svc/stdio/messages/message.ts';
import { NoAnswer, type ServerLink } from '@svc/stdio/messages/server-link.ts';
import { isObject } from '../../files/json-file.ts';
import { type CallDecider, explainNotRun, getArgumentsToSend, getResultToShow } from './decide-call.ts';
import type { DeclaredTools } from './declared-tools.ts';
import { getDeclaredName } from './definitions.ts';
import { getRefusalOfError, getRefusalResult, type ProxyRefusal } from './messages.ts';

export type CallDeps = {
  readonly governance: Governance;
  readonly decide: CallDecider;
  readonly tools: DeclaredTools;
  readonly link: ServerLink;
  readonly prefix: string;
  readonly toClient: (message: StdioMessage) => void;
  readonly note: (line: string) => void;
  /** Time for which a call that needs an approval is held; longer for a client that gets progress. */
  readonly holdMs: number;
  readonly progressHoldMs: number;
};

export type ProxyToolCall = {
  readonly id: Id;
  readonly name: string;
  readonly given: JsonObject;
  readonly message: StdioMessage;
  readonly signal: AbortSignal;
};

const REPORT_MS = 10_000;
const PROGRESS_EVERY_MS = 10_000;
const ERROR_CHARS_MAX = 2_000;

const CHANGED: ProxyRefusal = {
  code: 'MCP_SERVER_NOT_TRUSTED',
  reason: 'The definition of this tool is not the one that a person accepted.',
  remedy: 'Do not use this tool. A person has to read the new definition and run svc mcp register.',
};

const UNKNOWN: ProxyRefusal = {
  code: 'TOOL_NOT_AUTHORIZED',
  reason: 'There is no such tool for this agent.',
  remedy: 'Do not use this tool. Report that the agent lacks it.',
};

const NO_ANSWERS: Readonly<Record<'TIMEOUT' | 'ENDED', string>> = {
  TIMEOUT: 'The server did not answer in time.',
  ENDED: 'The server ended during the call.',
};

const explainNoAnswer = (reason: 'TIMEOUT' | 'ENDED', decision: Decision): ProxyRefusal => ({
  code: 'EXECUTION_TIMEOUT',
  reason: NO_ANSWERS[reason],
  remedy: 'The outcome is unknown. Do not repeat the call; report this, so that a person checks the target system.',
  meta: { action_id: decision.action_id, mode: decision.mode },
});

const readMeta = (message: StdioMessage): JsonObject => {
  const { _meta } = readParams(message.value);
  return isObject(_meta) ? _meta : {};
};

const protocolMeta = (meta: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(meta).filter(([name]) => name.startsWith('io.modelcontextprotocol/')));

/** Reports progress to a client that requests it, so that it does not give up while a person decides. */
const startProgress = (
  { toClient }: CallDeps,
  token: unknown,
): { readonly begin: (approvalId: string) => void; readonly end: () => void } => {
  let timer: NodeJS.Timeout | undefined;
  let progress = 0;
  return {
    begin: (approvalId) => {
      if (typeof token !== 'string' && typeof token !== 'number') return;
      const send = (): void => {
        progress += 1;
        const params = { progressToken: token, progress, message: `Waits for approval ${approvalId}.` };
        toClient(newMessage({ method: 'notifications/progress', params }));
      };
      send();
      timer ??= setInterval(send, PROGRESS_EVERY_MS);
    },
    end: () => clearInterval(timer),
  };
};

const report = async ({ governance, note }: CallDeps, { action_id }: Decision, answer: JsonObject): Promise<void> => {
  if (action_id === null) return;
  const isFailed = !isObject(answer.result) || answer.result.isError === true;
  const error = isFailed ? 'The MCP server reported an error.'.slice(0, ERROR_CHARS_MAX) : undefined;
  try {
    await governance.outcome(action_id, isFailed ? { status: 'FAILED', error: error ?? '' } : { status: 'COMPLETED' }, {
      timeoutMs: REPORT_MS,
    });
  } catch (failure) {
    if (!(failure instanceof GovernanceError)) throw failure;
    note(`The outcome of ${action_id} could not be reported: ${failure.code}.`);
  }
};

/** Makes a permitted call, reports its outcome, and returns the message for the client. */
const makeCall = async (deps: CallDeps, call: ProxyToolCall, decision: Decision, given: JsonObject): Promise<StdioMessage> => {
  const { id, message } = call;
  const request =
    given === call.given ? message : newMessage({ ...message.value, params: { ...readParams(message.value), arguments: given } });
  const answer = await deps.link.request(id, request);
  await report(deps, decision, answer.value);
  const { result } = answer.value;
  if (!isObject(result)) return answer;
  const shown = getResultToShow(decision, result);
  return shown === result ? answer : newMessage({ id, result: shown });
};

const findRefusal = (error: unknown, decision: Decision | undefined): ProxyRefusal | undefined => {
  if (error instanceof GovernanceError) return getRefusalOfError(error);
  if (!(error instanceof NoAnswer) || error.reason === 'CANCELLED' || decision === undefined) return undefined;
  return explainNoAnswer(error.reason, decision);
};

/** Answers a `tools/call`. Undefined if the client cancelled it. If anything goes wrong before the decision, the server does not get the call. */
export const callTool = async (deps: CallDeps, call: ProxyToolCall): Promise<StdioMessage | undefined> => {
  const { id, name, given, message, signal } = call;
  const meta = readMeta(message);
  const { progressToken } = meta;
  const delegation = meta['svc/delegation-id'];
  const progress = startProgress(deps, progressToken);
  const refuse = (refusal: ProxyRefusal): StdioMessage => newMessage({ id, result: getRefusalResult(refusal) });
  let decision: Decision | undefined;
  try {
    const usability = await deps.tools.check(name, protocolMeta(meta));
    if (usability !== 'USABLE') return refuse(usability === 'CHANGED' ? CHANGED : UNKNOWN);
    const permitted = await deps.decide({
      tool: getDeclaredName(deps.prefix, name),
      arguments: given,
      delegationId: typeof delegation === 'string' ? delegation : undefined,
      holdMs: progressToken === undefined ? deps.holdMs : deps.progressHoldMs,
      signal,
      onWaiting: progress.begin,
    });
    progress.end();
    const notRun = explainNotRun(permitted.decision);
    if (notRun !== undefined) return refuse(notRun);
    decision = permitted.decision;
    return await makeCall(deps, call, decision, getArgumentsToSend(permitted));
  } catch (error) {
    if (signal.aborted) return undefined;
    const refusal = findRefusal(error, decision);
    if (refusal === undefined) throw error;
    return refuse(refusal);
  } finally {
    progress.end();
  }
};
