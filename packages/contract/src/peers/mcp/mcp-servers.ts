import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../../rows/endpoint.ts';
import {
  closedObject,
  dottedName,
  enumSchema,
  id,
  jsonObject,
  listQuery,
  name,
  nullable,
  reason,
  timestamp,
  wholeNumber,
} from '../../rows/schema.ts';
import { LIMITS } from '../../tables/limits.ts';
import { McpTool } from './mcp-tool-shapes.ts';

const { mcpServers: mcp } = LIMITS;

export const MCP_SERVER_STATUSES = ['PENDING', 'ACTIVE', 'QUARANTINED', 'DISABLED'] as const;
export type McpServerStatus = (typeof MCP_SERVER_STATUSES)[number];

/** Generations of the protocol: LEGACY servers keep a session (2024-11-05 to 2025-11-25), MODERN ones do not (2026-07-28). */
export const MCP_ERAS = ['MODERN', 'LEGACY'] as const;
export type McpEra = (typeof MCP_ERAS)[number];

/** Why a listing failed. */
export const LISTING_FAILURES = [
  'NEEDS_CREDENTIAL',
  'UNREACHABLE',
  'TIMEOUT',
  'TOO_LARGE',
  'PROTOCOL',
  'NOT_MCP',
  'SSE_TRANSPORT',
  'CREDENTIAL',
] as const;
export type ListingFailureKind = (typeof LISTING_FAILURES)[number];

export const McpTransport = closedObject({
  type: Type.Literal('HTTP', { description: 'Streamable HTTP: each message is a POST.' }),
  url: Type.String({
    minLength: 1,
    maxLength: 2_000,
    examples: ['https://mcp.service.example/mcp'],
    description: 'Address of the MCP endpoint. http:// only for addresses that the operator allows.',
  }),
});
export type McpTransport = Static<typeof McpTransport>;

const settingsMembers = {
  timeout_ms: Type.Optional(wholeNumber(mcp.timeoutMsMin, mcp.timeoutMsMax, `Time for a call. Default: ${mcp.defaultTimeoutMs}.`)),
  hold_seconds: Type.Optional(
    wholeNumber(0, mcp.holdSecondsMax, `How long a call that needs an approval is held open. Default: ${mcp.defaultHoldSeconds}.`),
  ),
};
export const McpSettings = closedObject(settingsMembers);
export type McpSettings = Static<typeof McpSettings>;

export const McpListingFailure = closedObject({
  kind: enumSchema(LISTING_FAILURES),
  explanation: Type.String({ description: 'Why the listing failed, and the remedy.' }),
  issuer: Type.Optional(Type.String({ description: 'NEEDS_CREDENTIAL: authorization server that the MCP server names.' })),
  scopes: Type.Optional(Type.Array(Type.String())),
  resource: Type.Optional(Type.String()),
});
export type McpListingFailure = Static<typeof McpListingFailure>;

export const McpServer = closedObject({
  id: id('Server id (mcp_).'),
  name: Type.String(),
  slug: Type.String({ description: 'First part of the names of its tools. Never changes.' }),
  workspace_id: Type.String(),
  environment_id: Type.String(),
  transport: McpTransport,
  credential_id: nullable(Type.String()),
  capability_prefix: Type.String({
    description: 'Agents need the capability {prefix}.{tool} to call a tool, unless its authorization names another.',
  }),
  settings: closedObject({ timeout_ms: Type.Integer(), hold_seconds: Type.Integer() }),
  status: enumSchema(
    MCP_SERVER_STATUSES,
    'PENDING: no tool was authorized yet. QUARANTINED: the definition of an authorized tool changed, and no tool can be called until a person releases the server.',
  ),
  status_reason: nullable(Type.String()),
  era: nullable(enumSchema(MCP_ERAS)),
  protocol_version: nullable(Type.String()),
  server_info: nullable(jsonObject('Name and version as stated by the server; not verified.')),
  instructions: nullable(Type.String({ description: 'Instructions of the newest listing. Clients get them once they are accepted.' })),
  instructions_pin: nullable(Type.String({ description: 'SHA-256 of the name, capabilities and instructions, in hex.' })),
  instructions_accepted: Type.Boolean({ description: 'True if clients get the instructions.' }),
  listing_checked_at: nullable({ ...timestamp, description: 'Time of the last complete listing.' }),
  listing_failure: nullable(McpListingFailure),
  tools: closedObject({
    discovered: Type.Integer(),
    authorized: Type.Integer(),
    changed: Type.Integer(),
    disabled: Type.Integer(),
    gone: Type.Integer(),
  }),
  endpoint: Type.String({ description: 'Address that MCP clients connect to.' }),
  created_by: Type.String(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type McpServer = Static<typeof McpServer>;

/** Differences between a listed tool and the known one. */
export const LISTED_CHANGES = ['NEW', 'SAME', 'CHANGED', 'GONE', 'BACK'] as const;
export type ListedChange = (typeof LISTED_CHANGES)[number];

export const McpDiscovery = closedObject({
  server: McpServer,
  tools: Type.Array(closedObject({ ...McpTool.properties, change: enumSchema(LISTED_CHANGES) })),
  needs_credential: Type.Optional(McpListingFailure),
});
export type McpDiscovery = Static<typeof McpDiscovery>;

const row = { plane: 'control', area: 'peers', credential: 'caller', budget: 'caller', wire: 'json' } as const;

const changeable = {
  transport: McpTransport,
  credential_id: nullable(id('Credential that authenticates the gateway to the server.')),
  settings: McpSettings,
};

export const mcpServerEndpoints = {
  listMcpServers: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/v1/mcp/servers',
    summary: 'List the MCP servers, newest first.',
    permissions: ['mcp:read'],
    query: closedObject({ ...listQuery.properties, environment_id: Type.Optional(Type.String({ maxLength: 64 })) }),
    result: Type.Array(McpServer),
    emits: [],
    refuses: [],
  }),
  registerMcpServer: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/mcp/servers',
    summary: 'Register an MCP server. None of its tools can be called until they are discovered and authorized.',
    permissions: ['mcp:register'],
    mayNeed: ['credential:create'],
    idempotent: true,
    body: closedObject({
      name: name('Name, unique in the environment. The slug is derived from it.'),
      environment_id: id('Environment of its tools.'),
      transport: changeable.transport,
      credential_id: Type.Optional(changeable.credential_id),
      capability_prefix: Type.Optional(dottedName('First part of the capabilities of its tools. Default: the slug.', 'github')),
      settings: Type.Optional(changeable.settings),
    }),
    example: {
      name: 'Issue tracker',
      environment_id: 'env_00000000000000000000000000',
      transport: { type: 'HTTP', url: 'https://mcp.service.example/mcp' },
    },
    result: McpServer,
    status: 201,
    emits: ['mcp.server_registered'],
    refuses: [
      ...(['NOT_FOUND', 'ALREADY_EXISTS', 'VALIDATION_FAILED', 'INVALID_CREDENTIAL_REFERENCE', 'INVALID_STATE_TRANSITION'] as const),
      ...(['UNPROCESSABLE', 'PERMISSION_DENIED'] as const),
    ],
    automation: 'ALLOWED',
  }),
  getMcpServer: defineEndpoint({
    ...row,
    method: 'GET',
    path: '/v1/mcp/servers/{serverId}',
    summary: 'Get an MCP server.',
    permissions: ['mcp:read'],
    result: McpServer,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  updateMcpServer: defineEndpoint({
    ...row,
    method: 'PATCH',
    path: '/v1/mcp/servers/{serverId}',
    summary:
      'Change the address, credential or settings of an MCP server. Another address or credential sets it to PENDING: its tools are discovered and authorized again.',
    permissions: ['mcp:update'],
    body: closedObject({
      transport: Type.Optional(changeable.transport),
      credential_id: Type.Optional(changeable.credential_id),
      settings: Type.Optional(changeable.settings),
      accept_instructions: Type.Optional(
        Type.String({
          pattern: '^[0-9a-f]{64}$',
          description: 'The instructions_pin of the server. From then on clients get its instructions, until they change.',
        }),
      ),
    }),
    mayNeed: ['credential:create'],
    result: McpServer,
    emits: ['mcp.server_updated'],
    refuses: [...(['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_CREDENTIAL_REFERENCE', 'VERSION_CONFLICT', 'PERMISSION_DENIED'] as const)],
    automation: { limit: 'Not to accept instructions.' },
  }),
  deleteMcpServer: defineEndpoint({
    ...row,
    method: 'DELETE',
    path: '/v1/mcp/servers/{serverId}',
    summary: 'Remove an MCP server. Its tools are disabled and can no longer be called.',
    permissions: ['mcp:disable'],
    result: closedObject({ id: Type.String(), name: Type.String(), deleted_at: timestamp }),
    emits: ['mcp.server_disabled', 'tool.disabled'],
    refuses: ['NOT_FOUND'],
    automation: 'ALLOWED',
  }),
  discoverMcpServer: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/mcp/servers/{serverId}/discover',
    summary:
      'List the tools of the server now. New tools stay unauthorized. If the definition of an authorized tool changed, the server is quarantined.',
    permissions: ['mcp:update'],
    bodyOptional: true,
    body: closedObject({}),
    result: McpDiscovery,
    emits: ['mcp.tools_discovered', 'mcp.server_quarantined', 'credential.issued'],
    refuses: [
      ...(['NOT_FOUND', 'INVALID_STATE_TRANSITION', 'EXECUTION_FAILED', 'EXECUTION_TIMEOUT', 'CREDENTIAL_SERVICE_UNAVAILABLE'] as const),
      ...(['INVALID_CREDENTIAL_REFERENCE', 'RATE_LIMITED'] as const),
    ],
    automation: 'ALLOWED',
  }),
  disableMcpServer: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/mcp/servers/{serverId}/disable',
    summary: 'Disable an MCP server: from then on no tool of it is called.',
    permissions: ['mcp:disable'],
    budget: 'emergency',
    emergency: true,
    body: closedObject({ reason }),
    result: McpServer,
    emits: ['mcp.server_disabled'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    automation: 'ALLOWED',
  }),
  releaseMcpServer: defineEndpoint({
    ...row,
    method: 'POST',
    path: '/v1/mcp/servers/{serverId}/release',
    summary:
      'End the quarantine or the disabling of an MCP server. Changed definitions are accepted by their pins; tools whose change is not accepted stay unauthorized.',
    permissions: ['mcp:update'],
    stepUp: true,
    body: closedObject({
      reason,
      accept: Type.Optional(
        Type.Array(closedObject({ tool_id: id('Tool of the server (mct_).'), pin: Type.String({ pattern: '^[0-9a-f]{64}$' }) }), {
          maxItems: LIMITS.mcp.listingToolsMax,
          description: 'Changed definitions that are accepted.',
        }),
      ),
    }),
    result: McpServer,
    emits: ['mcp.server_updated', 'tool.updated'],
    refuses: ['NOT_FOUND', 'INVALID_STATE_TRANSITION', 'VERSION_CONFLICT', 'VALIDATION_FAILED', 'UNPROCESSABLE'],
  }),
};
