import { Type } from 'typebox';
import { actionRefusals } from '../../actions/action-refusals.ts';
import { defineEndpoint } from '../../rows/endpoint.ts';
import { LIMITS } from '../../tables/limits.ts';

/** A JSON-RPC message. Its members depend on the method and on the protocol version, and are checked by the handler. */
const Message = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  description: 'A JSON-RPC 2.0 message of the Model Context Protocol, versions 2024-11-05 to 2026-07-28.',
});

const row = {
  plane: 'gateway',
  area: 'peers',
  method: 'POST',
  credential: 'agent',
  budget: 'agent',
  sessionCheckedBy: 'door',
  wire: 'mcp',
  idempotent: true,
  body: Message,
  bodyBytesMax: LIMITS.bodies.requestBytesMax,
  result: Message,
  emits: [
    ...(['mcp.tool_invoked', 'action.requested', 'action.allowed', 'action.blocked', 'action.limited', 'action.masked'] as const),
    ...(['action.approval_required', 'action.observed', 'action.simulated', 'action.completed', 'action.failed'] as const),
    ...(['approval.requested', 'approval.restored', 'credential.issued', 'security.destination_blocked'] as const),
  ],
  refuses: [
    ...actionRefusals,
    ...(['CONFLICT', 'EXECUTION_FAILED', 'EXECUTION_TIMEOUT', 'INVALID_CREDENTIAL_REFERENCE', 'CREDENTIAL_SERVICE_UNAVAILABLE'] as const),
  ],
} as const;

export const mcpEndpoints = {
  callMcpServer: defineEndpoint({
    ...row,
    path: '/gateway/v1/mcp/{serverId}',
    summary: 'MCP endpoint of one server: lists and calls the tools that this agent may use, under their own names.',
  }),
  callMcpServers: defineEndpoint({
    ...row,
    path: '/gateway/v1/mcp',
    summary: 'MCP endpoint of all servers of the environment: lists and calls the tools that this agent may use.',
  }),
};
