/** Builds the messages that the gateway sends to MCP clients. */
import { RPC_CODES, type RpcFault, type RpcId } from './read-request.ts';

type Members = Readonly<Record<string, unknown>>;

export const resultMessage = (id: RpcId, result: Members): Members => ({ jsonrpc: '2.0', id, result });

export const errorMessage = (id: RpcId | null, { code, message, data }: Omit<RpcFault, 'status'>): Members => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data === undefined ? {} : { data }) },
});

export const progressMessage = (progressToken: RpcId, progress: Members): Members => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken, ...progress },
});

/** Parts of a refusal, for its text and for programs. */
export type Refusing = {
  readonly code: string;
  readonly reason: string;
  readonly remedy: string;
  readonly decision: Members;
};

/**
 * Builds the result of a refused tool call: a result, not an error, so that models read why and what to do. It has no structured content, which
 * clients would hold against the output schema of the tool.
 */
export const refusedResult = ({ code, reason, remedy, decision }: Refusing): Members => ({
  resultType: 'complete',
  isError: true,
  content: [{ type: 'text', text: `${code}: ${reason} What to do: ${remedy}` }],
  _meta: { 'svc/decision': { code, ...decision } },
});

/**
 * Builds the error for a tool that does not exist, or that the agent may not see: both are the same to it. `nearest` is the most similar name
 * that the agent may use, if there is one.
 */
export const unknownTool = (id: RpcId, name: string, nearest: string | null): Members => {
  const hint = nearest === null ? '' : `. The nearest tool that you may use is ${nearest}.`;
  return errorMessage(id, { code: RPC_CODES.invalidParams, message: `Unknown tool: ${name}${hint}` });
};
