import type { Execution } from '@svc/contract/actions/decisions.ts';
import { maskToolResult, type ToolResult } from '@svc/domain/peers/mcp/mask-tool-result.ts';
import type { Executed } from '../ports/executed.ts';
import type { BrokenCall, McpResult } from '../ports/execution-results.ts';
import { maskExecution } from './mask-execution.ts';
import { readResult } from './read-result.ts';

const TOOL_FAILED = 'The tool reported an error.';

/** Returns the outcome of a tool call. An error reported by the tool means that it was not executed: its result is passed on unchanged. */
export const readMcpResult = (result: McpResult | BrokenCall): Executed => {
  if (result.kind === 'returned') {
    const { isError, status: http_status, bytes: response_bytes, duration_ms } = result;
    const facts = { http_status, response_bytes, duration_ms, result: result.result };
    if (!isError) return { status: 'COMPLETED', execution: { state: 'EXECUTED', ...facts }, code: null };
    return { status: 'FAILED', execution: { state: 'FAILED', reason: TOOL_FAILED, ...facts }, code: 'EXECUTION_FAILED' };
  }
  if (result.kind === 'rejected') {
    const { reason, status, duration_ms } = result;
    const facts = { ...(status === undefined ? {} : { http_status: status }), duration_ms };
    return { status: 'FAILED', execution: { state: 'FAILED', reason, ...facts }, code: 'EXECUTION_FAILED' };
  }
  return readResult(result);
};

const isToolResult = (value: unknown): value is ToolResult =>
  typeof value === 'object' && value !== null && Array.isArray((value as { readonly content?: unknown }).content);

/** Masks the structured content of a result and the text that repeats it. */
export const maskMcpExecution = (execution: Execution, paths: readonly string[]): Execution =>
  paths.length > 0 && isToolResult(execution.result)
    ? { ...execution, result: maskToolResult(execution.result, paths) }
    : maskExecution(execution, paths);
