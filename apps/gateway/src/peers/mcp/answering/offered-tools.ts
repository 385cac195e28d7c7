import { askTool } from '@svc/enforcement/decision/ask-tool.ts';
import type { AgentSnapshot, EnvironmentSnapshot, McpToolSnapshot, ToolSnapshot } from '@svc/enforcement/facts/snapshots.ts';
import { getExposedName } from '@svc/peers/mcp/definitions/tool-names.ts';
import type { GatewayDeps } from '../../../deps.ts';

export type McpToolWithSnapshot = ToolSnapshot & { readonly mcp: McpToolSnapshot };

/** A tool, resource or prompt with its name for the clients of an endpoint. `prefix` is what a name has in front of the address of a resource. */
export type McpOffer = { readonly name: string; readonly prefix: string; readonly tool: McpToolWithSnapshot };

const isMcp = (tool: ToolSnapshot): tool is McpToolWithSnapshot => tool.kind === 'MCP' && tool.mcp !== null;

/** Two servers may have a resource of the same address. The prefix is the beginning of a scheme, so that the whole is an address again. */
const getExposedUri = (slug: string, uri: string): Pick<McpOffer, 'name' | 'prefix'> => {
  const prefix = `svc+${slug}+`;
  return { name: `${prefix}${uri}`, prefix };
};

const isResource = ({ mcp }: McpToolWithSnapshot): boolean => mcp.offer_kind === 'RESOURCE' || mcp.offer_kind === 'RESOURCE_TEMPLATE';

const exposeName = (tool: McpToolWithSnapshot, serverId: string | null): Pick<McpOffer, 'name' | 'prefix'> => {
  const { slug, upstream_name } = tool.mcp;
  if (serverId !== null) return { name: upstream_name, prefix: '' };
  return isResource(tool) ? getExposedUri(slug, upstream_name) : { name: getExposedName(slug, upstream_name), prefix: '' };
};

/** Lists what the MCP servers of an environment offer, with exposed names: at the endpoint of one server its own names. */
export const listOffered = (environment: EnvironmentSnapshot, serverId: string | null): readonly McpOffer[] =>
  [...new Set(environment.tools.values())]
    .filter(isMcp)
    .filter(({ mcp }) => serverId === null || mcp.server_id === serverId)
    .map((tool) => ({ tool, ...exposeName(tool, serverId) }))
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
export const listServers = (offered: readonly McpOffer[]): Readonly<Record<string, { readonly name: string; readonly status: string }>> =>
  Object.fromEntries(offered.map(({ tool: { mcp } }) => [mcp.slug, { name: mcp.server_name, status: mcp.server_status }]));
