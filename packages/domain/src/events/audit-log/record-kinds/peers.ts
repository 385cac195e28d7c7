import { getNotedKind } from './noted-kind.ts';

/** A connection to a remote agent. Not covered: the checks of the last verification, which each verification renews. */
export const A2A_CONNECTION = getNotedKind({
  type: 'a2a_connection',
  table: 'a2a_connections',
  permission: 'a2a:read',
  columns: {
    workspace_id: 'text',
    environment_id: 'text',
    name: 'text',
    slug: 'text',
    card_url: 'text',
    keys: 'value',
    credential_id: 'text',
    tool_id: 'text',
    status: 'text',
    status_reason: 'text',
    proof: 'text',
    card: 'value',
    former_cards: 'value',
    verified_key: 'text',
    verified_at: 'timestamptz',
    verified_by: 'text',
    created_by: 'text',
    created_at: 'timestamptz',
  },
  added: [{ direction: 'text', agent_id: 'text', agent_url: 'text', key_series: 'bigint' }],
});

/** An MCP server. Not covered: statements of the server itself and the state of listings, which each listing renews. */
export const MCP_SERVER = getNotedKind({
  type: 'mcp_server',
  table: 'mcp_servers',
  permission: 'mcp:read',
  columns: {
    workspace_id: 'text',
    environment_id: 'text',
    name: 'text',
    slug: 'text',
    transport: 'value',
    credential_id: 'text',
    capability_prefix: 'text',
    settings: 'value',
    status: 'text',
    status_reason: 'text',
    accepted_server_pin: 'text',
    accepted_instructions: 'text',
    created_by: 'text',
    created_at: 'timestamptz',
  },
});

/** A tool of an MCP server as it was authorized. Not covered: the newest definition and its findings, which each listing renews. */
export const MCP_TOOL = getNotedKind({
  type: 'mcp_tool',
  table: 'mcp_tools',
  permission: 'mcp:read',
  columns: {
    workspace_id: 'text',
    environment_id: 'text',
    server_id: 'text',
    name: 'text',
    authorized_definition: 'text',
    authorized_pin: 'text',
    status: 'text',
    tool_id: 'text',
    authorized_by: 'text',
    authorized_at: 'timestamptz',
    disabled_reason: 'text',
    first_seen_at: 'timestamptz',
  },
  added: [{ kind: 'text' }],
});
