import { Type } from 'typebox';
import { AUTOMATION_LIMITS } from '../../rows/automation-rule.ts';
import { defineEndpoint } from '../../rows/endpoint.ts';
import { boundedListQuery, closedObject, dottedName, enumSchema, id, listQuery, nullable, reason, timestamp } from '../../rows/schema.ts';
import { LIMITS } from '../../tables/limits.ts';
import { RISK_RATINGS } from '../../tables/vocabulary.ts';
import { MCP_OFFER_KINDS, MCP_TOOL_STATUSES, McpDefinitionChange, McpTool, McpToolReview } from './mcp-tool-shapes.ts';

const { mcpServers: mcp } = LIMITS;
const row = { plane: 'control', area: 'peers', credential: 'caller', budget: 'caller', wire: 'json' } as const;

export const mcpToolEndpoints = {
  listMcpTools: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/v1/mcp/servers/{serverId}/tools',
    summary: 'List the tools, resources and prompts of an MCP server by name.',
    permissions: ['mcp:read'],
    query: closedObject({
      ...listQuery.properties,
      status: Type.Optional(enumSchema(MCP_TOOL_STATUSES)),
      kind: Type.Optional(enumSchema(MCP_OFFER_KINDS)),
    }),
    result: Type.Array(McpTool),
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  getMcpTool: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/v1/mcp/servers/{serverId}/tools/{mcpToolId}',
    summary: 'Get a tool of an MCP server with its definition, its findings and what an authorization would set.',
    permissions: ['mcp:read'],
    result: McpToolReview,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  diffMcpTool: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/v1/mcp/servers/{serverId}/tools/{mcpToolId}/diff',
    summary: 'Compare the authorized definition of a tool with the newest one, word by word.',
    permissions: ['mcp:read'],
    result: closedObject({
      authorized_pin: nullable(Type.String()),
      pin: Type.String(),
      changes: Type.Array(McpDefinitionChange),
    }),
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  listMcpListings: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/v1/mcp/servers/{serverId}/listings',
    summary: `List the different listings of an MCP server, newest first. At most ${mcp.listingsKeptMax} are kept.`,
    permissions: ['mcp:read'],
    query: boundedListQuery,
    result: Type.Array(
      closedObject({
        hash: Type.String(),
        tools: Type.Array(closedObject({ name: Type.String(), pin: Type.String() })),
        taken_by: closedObject({ type: Type.String(), id: Type.String() }),
        first_taken_at: timestamp,
        last_taken_at: timestamp,
      }),
    ),
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  authorizeMcpTool: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/mcp/servers/{serverId}/tools/{mcpToolId}/authorize',
    summary:
      'Authorize the definition of a tool with this pin. The tool becomes a governed tool; agents still need its capability and an authorization of their own. Requires a step-up for a dangerous or critical tool.',
    permissions: ['mcp:update'],
    mayNeed: ['step_up', 'tool:update'],
    idempotent: true,
    body: closedObject({
      pin: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Pin of the definition that was reviewed.' }),
      risk_rating: Type.Optional(enumSchema(RISK_RATINGS, 'Default: derived from the annotations of the tool.')),
      dangerous: Type.Optional(Type.Boolean()),
      required_capability: Type.Optional(dottedName('Capability that an agent needs.', 'github.create_issue')),
      agent_ids: Type.Optional(
        Type.Array(id('Agent of the same environment.'), {
          maxItems: mcp.agentsMax,
          uniqueItems: true,
          description: 'Agents that are authorized for the tool at the same time.',
        }),
      ),
      accept_findings: Type.Optional(Type.Boolean({ description: 'Needed if there are findings of severity high or critical.' })),
    }),
    result: McpTool,
    emits: ['mcp.tool_authorized', 'tool.created', 'tool.updated', 'tool.enabled', 'approval.cancelled'],
    refuses: [
      ...(['NOT_FOUND', 'VERSION_CONFLICT', 'VALIDATION_FAILED', 'UNPROCESSABLE', 'STEP_UP_REQUIRED', 'INVALID_STATE_TRANSITION'] as const),
      ...(['PERMISSION_DENIED', 'ALREADY_EXISTS'] as const),
    ],
    automation: {
      limit: `Not for a dangerous or critical tool, and not for one with findings of severity high or critical. ${AUTOMATION_LIMITS.stopped}`,
    },
  }),
  disableMcpTool: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/mcp/servers/{serverId}/tools/{mcpToolId}/disable',
    summary: 'Disable a tool of an MCP server for all agents.',
    permissions: ['mcp:disable'],
    budget: 'emergency',
    emergency: true,
    body: closedObject({ reason }),
    result: McpTool,
    emits: ['mcp.tool_disabled', 'tool.disabled'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    automation: 'ALLOWED',
  }),
};
