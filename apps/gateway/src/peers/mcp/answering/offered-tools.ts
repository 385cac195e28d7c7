import { askTool } from '@svc/enforcement/decision/ask-tool.ts';
import type { AgentSnapshot, EnvironmentSnapshot, McpToolSnapshot, ToolSnapshot } from '@svc/enforcement/facts/snapshots.ts';
import { getExposedName } from '@svc/peers/mcp/definitions/tool-names.ts';
import type { GatewayDeps } from '../../../deps.ts';

export type McpToolWithSnapshot = ToolSnapshot & { readonly mcp: McpToolSnapshot };

/** A tool with its name for the clients of an endpoint. */
export type OfferedTool = { readonly name: string; readonly tool: McpToolWithSnapshot };

const isMcp = (tool: ToolSnapshot): tool is McpToolWithSnapshot => tool.kind === 'MCP' && tool.mcp !== null;

/** Lists the MCP tools of an environment with their exposed names: at the endpoint of one server its own names. */
export const listOffered = (environment: EnvironmentSnapshot, serverId: string | null): readonly OfferedTool[] =>
  [...new Set(environment.tools.values())]
    .filter(isMcp)
    .filter(({ mcp }) => serverId === null || mcp.server_id === serverId)
    .map((tool) => ({ tool, name: serverId === null ? getExposedName(tool.mcp.slug, tool.mcp.upstream_name) : tool.mcp.upstream_name }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));

type Asking = { readonly environment: EnvironmentSnapshot; readonly agent: AgentSnapshot; readonly now: Date };

/**
 * True for a tool that the agent sees: one that it may call. A tool of a server that could not be listed for a while stays, since it is
 * authorized here; its calls state that the server is unreachable.
 */
export const isVisible = (
  { environment, agent, now }: Asking,
  { requestHashes }: Pick<GatewayDeps, 'requestHashes'>,
  tool: McpToolWithSnapshot,
): boolean => {
  const listed = { ...tool, mcp: { ...tool.mcp, listing_checked_at: now.toISOString() } };
  const tools = new Map([[tool.name, listed]]);
  return askTool({ environment: { ...environment, tools }, agent, now, requestHashes }, tool.name) === null;
};

/** Returns the state of each server that has a tool in this list, by its slug. */
export const listServers = (
  offered: readonly OfferedTool[],
): Readonly<Record<string, { readonly name: string; readonly status: string }>> =>
  Object.fromEntries(offered.map(({ tool: { mcp } }) => [mcp.slug, { name: mcp.server_name, status: mcp.server_status }]));
