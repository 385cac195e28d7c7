import { MCP_ERAS, MCP_SERVER_STATUSES, type McpSettings, type McpTransport } from '@svc/contract/peers/mcp/mcp-servers.ts';
import { MCP_OFFER_KINDS, MCP_TOOL_STATUSES } from '@svc/contract/peers/mcp/mcp-tool-shapes.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { McpToolSnapshot } from '@svc/enforcement/facts/snapshots.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';

const { defaultTimeoutMs, defaultHoldSeconds } = LIMITS.mcpServers;

type Row = Omit<McpToolSnapshot, 'url' | 'timeout_ms' | 'hold_seconds' | 'era' | 'protocol_version' | 'definition'> & {
  readonly tool_id: string;
  readonly credential_id: string | null;
  readonly transport: McpTransport;
  readonly settings: McpSettings;
  readonly era: McpToolSnapshot['era'] | null;
  readonly protocol_version: string | null;
  readonly definition: string | null;
};

/** A tool of an MCP server, and the credential of the server. */
type ReadMcpTool = { readonly snapshot: McpToolSnapshot; readonly credential_id: string | null };

/** Tools, keyed by the id of the governed tool. */
export type McpTools = ReadonlyMap<string, ReadMcpTool>;

const isWord = (words: readonly string[], value: unknown): boolean => typeof value === 'string' && words.includes(value);

/** Undefined if the row is not as the service writes it: its tool is then refused as one whose server was removed. */
const fitRow = (row: Row): ReadMcpTool | undefined => {
  const { tool_id: _, credential_id, transport, settings, era, protocol_version, definition, ...rest } = row;
  const isKnown =
    isWord(MCP_OFFER_KINDS, row.offer_kind) &&
    isWord(MCP_SERVER_STATUSES, row.server_status) &&
    isWord(MCP_TOOL_STATUSES, row.tool_status) &&
    isWord(MCP_ERAS, era);
  if (!isKnown || era === null || protocol_version === null || definition === null || typeof transport.url !== 'string') return undefined;
  const { timeout_ms = defaultTimeoutMs, hold_seconds = defaultHoldSeconds } = settings;
  return { snapshot: { ...rest, url: transport.url, era, protocol_version, definition, timeout_ms, hold_seconds }, credential_id };
};

/** Reads the tools of MCP servers in an environment that were ever authorized. */
export const readMcpTools = async (
  tx: TenantTransaction,
  { organization_id, environment_id }: { readonly organization_id: string; readonly environment_id: string },
): Promise<McpTools> => {
  const { rows } = await sql<Row>`
    select t.tool_id, t.kind as offer_kind, t.name as upstream_name, t.status as tool_status, t.authorized_definition as definition,
           s.id as server_id, s.name as server_name, s.slug, s.status as server_status, s.listing_checked_at, s.transport, s.settings, s.era,
           s.protocol_version, s.credential_id, s.accepted_instructions as instructions
      from mcp_tools t join mcp_servers s on s.organization_id = t.organization_id and s.id = t.server_id
     where t.organization_id = ${organization_id} and t.environment_id = ${environment_id} and t.tool_id is not null`.execute(tx);
  return new Map(
    rows.flatMap((row) => {
      const fit = fitRow(row);
      return fit === undefined ? [] : [[row.tool_id, fit] as const];
    }),
  );
};
