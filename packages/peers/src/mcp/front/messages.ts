/** Builds the messages that the gateway sends to MCP clients. */
import type { RpcFault, RpcId } from './read-request.ts';

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
