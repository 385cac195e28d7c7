import type { McpServer, McpSettings } from '@svc/contract/peers/mcp/mcp-servers.ts';
import type { McpTool } from '@svc/contract/peers/mcp/mcp-tool-shapes.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { CountedMcpServer } from '@svc/postgres/peers/mcp/mcp-servers.ts';
import type { McpToolRow } from '@svc/postgres/peers/mcp/mcp-tools.ts';

const { defaultTimeoutMs, defaultHoldSeconds } = LIMITS.mcpServers;

/** Returns settings with defaults for omitted members. */
export const fillSettings = (settings: McpSettings): McpServer['settings'] => ({
  timeout_ms: settings.timeout_ms ?? defaultTimeoutMs,
  hold_seconds: settings.hold_seconds ?? defaultHoldSeconds,
});

/** Returns a server as the API shows it. `gatewayUrl` is the public address of the gateway. */
export const asMcpServer = (row: CountedMcpServer, gatewayUrl: string): McpServer => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  workspace_id: row.workspace_id,
  environment_id: row.environment_id,
  transport: row.transport,
  credential_id: row.credential_id,
  capability_prefix: row.capability_prefix,
  settings: fillSettings(row.settings),
  status: row.status,
  status_reason: row.status_reason,
  era: row.era,
  protocol_version: row.protocol_version,
  server_info: row.server_info,
  instructions: row.instructions,
  instructions_pin: row.server_pin,
  instructions_accepted: row.instructions !== null && row.server_pin === row.accepted_server_pin,
  listing_checked_at: row.listing_checked_at,
  listing_failure: row.listing_failure,
  tools: row.tools,
  endpoint: `${gatewayUrl}/gateway/v1/mcp/${row.id}`,
  created_by: row.created_by,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

/** Formats a tool of a server for the API. A tool that is still offered was last seen when its server was last listed. */
export const asMcpTool = (row: McpToolRow, server: { readonly listing_checked_at: string | null }): McpTool => ({
  id: row.id,
  server_id: row.server_id,
  kind: row.kind,
  name: row.name,
  status: row.status,
  pin: row.pin,
  authorized_pin: row.authorized_pin,
  tool_id: row.tool_id,
  tool_name: row.tool_name,
  findings: row.findings,
  first_seen_at: row.first_seen_at,
  last_seen_at: row.status === 'GONE' ? row.last_seen_at : (server.listing_checked_at ?? row.last_seen_at),
  authorized_by: row.authorized_by,
  authorized_at: row.authorized_at,
  disabled_reason: row.disabled_reason,
});
