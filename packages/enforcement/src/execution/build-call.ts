import { type Destination, parseDestination } from '@svc/domain/tools/destinations/parse-destination.ts';
import { type Faults, isFaults } from '@svc/domain/tools/fault.ts';
import { buildExecutionRequest } from '@svc/domain/tools/request/execution-request.ts';
import type { CallRequest } from '../facts/call-request.ts';
import type { ToolSnapshot } from '../facts/snapshots.ts';

/** Builds the call that a tool makes with these parameters; null if the agent runs the tool itself. Faults point at or below `/parameters`. */
export const buildCall = (
  { execution, mcp }: Pick<ToolSnapshot, 'execution' | 'mcp'>,
  parameters: Readonly<Record<string, unknown>>,
): CallRequest | Faults | null => {
  if (mcp !== null) {
    const { url, server_id, era, protocol_version, upstream_name: name, definition, timeout_ms } = mcp;
    return { kind: 'mcp', url, server_id, era, protocol_version, name, arguments: parameters, definition, timeout_ms };
  }
  if (execution === null) return null;
  const request = buildExecutionRequest(execution, parameters);
  return isFaults(request) ? request : { kind: 'http', ...request };
};

/** Returns where a call goes. */
export const callDestination = ({ url }: CallRequest): Destination | { readonly fault: string } => parseDestination(url);
