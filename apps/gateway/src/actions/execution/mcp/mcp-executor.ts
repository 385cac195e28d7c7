import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Egress } from '@svc/egress/create-egress.ts';
import type { EgressRequest, EgressResult } from '@svc/egress/requests/egress-request.ts';
import { maskMcpExecution, readMcpResult } from '@svc/enforcement/execution/read-mcp-result.ts';
import type { McpResult } from '@svc/enforcement/ports/execution-results.ts';
import type { ExecutionCall, Executor } from '@svc/enforcement/ports/executors.ts';
import { CLIENT_INFO } from '@svc/operations/peers/mcp/discover-mcp-server.ts';
import { isDefinitionFault } from '@svc/peers/mcp/definitions/definition.ts';
import { readOffer } from '@svc/peers/mcp/definitions/offers.ts';
import { cleanResult } from '@svc/peers/mcp/findings/clean-result.ts';
import { buildToolCall, isAnswer, readProgress, readToolAnswer, type ToolAnswer } from '@svc/peers/mcp/upstream/call.ts';
import { type McpSession, newSessions, openSession } from '@svc/peers/mcp/upstream/sessions.ts';
import { newId } from '@svc/program/ids/new-id.ts';

type McpCall = ExecutionCall<'mcp'>;

/** Sends one request of a call with the credential of its server. */
export type SendMcp = (call: McpCall, request: Omit<EgressRequest, 'tenant' | 'credential'>, timeoutMs: number) => Promise<EgressResult>;

const { resultBytesMax, defaultTimeoutMs } = LIMITS.mcpServers;
const PROGRESS_TOKEN = 1;

/** The result of one request: the response of the server, and the result of the egress client if it contains more. */
type Tried = ToolAnswer & { readonly egress: EgressResult };

const readDuration = (egress: EgressResult, startedAt: number): number =>
  'duration_ms' in egress ? egress.duration_ms : Math.round(performance.now() - startedAt);

const rejected = (reason: string, egress: EgressResult, startedAt: number): McpResult => {
  const status = 'status' in egress && egress.status !== undefined ? { status: egress.status } : {};
  return { kind: 'rejected', reason, ...status, duration_ms: readDuration(egress, startedAt) };
};

/** Converts the result for the pipeline. A request that could not be sent is reported like any other call. */
const toMcpResult = (tried: Tried, startedAt: number): McpResult => {
  const { egress } = tried;
  switch (tried.kind) {
    case 'result': {
      const { result: value } = cleanResult(tried.result);
      const bytes = 'bytes' in egress ? egress.bytes : 0;
      const status = 'status' in egress ? (egress.status ?? 200) : 200;
      return { kind: 'returned', result: value, isError: tried.isError, status, bytes, duration_ms: readDuration(egress, startedAt) };
    }
    case 'error':
      return rejected(`The MCP server refused the call (${tried.code}): ${tried.message}`, egress, startedAt);
    case 'session_lost':
      return rejected('The MCP server ended the session twice in a row. Call the tool again.', egress, startedAt);
    case 'unsupported':
      return rejected(tried.explanation, egress, startedAt);
    case 'broken':
      if (egress.kind === 'answered' || egress.kind === 'answered_large') return rejected(tried.explanation, egress, startedAt);
      return egress;
  }
};

/** Sends one request for a call, within a session of a legacy server. */
const newRequest =
  (send: SendMcp) =>
  async (call: McpCall, session: McpSession | undefined, leftMs: number, onSend: () => void): Promise<Tried> => {
    const definition = readOffer(call.offer_kind, call.definition);
    const nothing: EgressResult = { kind: 'refused', reason: 'The authorized definition of the tool cannot be read.' };
    if (isDefinitionFault(definition)) return { kind: 'broken', explanation: nothing.reason, sent: false, egress: nothing };
    const id = newId('request');
    const built = buildToolCall({
      ...{ era: call.era, kind: call.offer_kind, name: call.name, arguments: call.arguments, definition, clientInfo: CLIENT_INFO, id },
      protocolVersion: session?.protocolVersion ?? call.protocol_version,
      ...(session?.sessionId === undefined ? {} : { sessionId: session.sessionId }),
      ...(call.onProgress === undefined ? {} : { progressToken: PROGRESS_TOKEN }),
    });
    if ('fault' in built)
      return { kind: 'unsupported', explanation: `The call cannot be sent: ${built.pointer} ${built.fault}.`, egress: nothing };
    const egressResult = await send(
      call,
      {
        ...{ method: 'POST', url: call.url, headers: built.headers, body: built.body, onSend, mayLeave: call.mayLeave },
        ...(call.signal === undefined ? {} : { signal: call.signal }),
        responseBytesMax: resultBytesMax,
        onEvent: (event) => {
          if (isAnswer(event, id)) return true;
          const read = call.onProgress && readProgress(event);
          if (read) {
            const { token: _, ...progress } = read;
            call.onProgress?.(progress);
          }
          return false;
        },
      },
      leftMs,
    );
    return { ...readToolAnswer(egressResult, id, call.era, call.offer_kind), egress: egressResult };
  };

/** Executes calls of MCP tools: one request for a modern server, and within a session for a legacy one. */
export const newMcpExecutor = (egress: Egress, send: SendMcp): Executor<'mcp'> => {
  const sessions = newSessions({ now: () => performance.now() });

  const request = newRequest(send);

  const execute: Executor<'mcp'>['execute'] = async (call) => {
    const startedAt = performance.now();
    const leftMs = (): number => Math.max(1, call.timeout_ms - (performance.now() - startedAt));
    let isUnsent = true;
    const onSend = (): void => {
      isUnsent = false;
    };
    const settled = (result: McpResult): McpResult => (isUnsent && result.kind !== 'returned' ? { ...result, isUnsent } : result);
    if (call.era === 'MODERN') return settled(toMcpResult(await request(call, undefined, leftMs(), onSend), startedAt));
    const opening: EgressResult[] = [];
    const begin = () =>
      openSession({
        url: call.url,
        clientInfo: CLIENT_INFO,
        now: () => performance.now(),
        send: async (message) => {
          const result = await send(call, message, leftMs());
          opening.push(result);
          return result;
        },
      });
    const server = `${call.tenant} ${call.server_id} ${call.url} ${call.credential?.id ?? ''}`;
    const key = { server, credentialGeneration: call.credential?.generation ?? 0 };
    const answer = await sessions.use(key, begin, (session) => request(call, session, leftMs(), onSend));
    if ('egress' in answer) return settled(toMcpResult(answer, startedAt));
    const last = opening.at(-1);
    // Without a session the tool was not called: an unsent request is reported as such.
    if (last !== undefined && last.kind !== 'answered' && last.kind !== 'answered_large') return settled({ ...last, isUnsent: true });
    return { kind: 'rejected', reason: answer.explanation, duration_ms: Math.round(performance.now() - startedAt), isUnsent: true };
  };

  return {
    disabledFor: egress.disabledFor,
    timeoutMs: ({ timeout_ms }) => timeout_ms || defaultTimeoutMs,
    execute,
    readResult: (_call, result) => readMcpResult(result),
    mask: maskMcpExecution,
  };
};
