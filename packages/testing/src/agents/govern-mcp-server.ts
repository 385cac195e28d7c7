import { mustCall } from '../people/client.ts';
import type { Planes } from '../planes/start-planes.ts';
import { type Governed, type GovernedOptions, newGoverned } from './governed.ts';

/** An MCP server of which every tool is authorized for the agent. */
export type GovernedServer = Governed & { readonly serverId: string; readonly slug: string; readonly url: string };

type Options = GovernedOptions & { readonly name?: string; readonly settings?: object };

/** Registers a server, discovers its tools and authorizes each for the agent, which gets the capability. */
export const governServer = async (
  governed: Governed,
  upstream: string,
  { name = 'Peer', settings }: Pick<Options, 'name' | 'settings'> = {},
): Promise<GovernedServer> => {
  const { planes, tenant, agent } = governed;
  const send = (method: string, path: string, body: object) => mustCall(planes.controlUrl, method, path, { token: tenant.token, body });
  const transport = { type: 'HTTP', url: upstream };
  const server = await send('POST', '/v1/mcp/servers', {
    name,
    environment_id: tenant.environment_id,
    transport,
    ...(settings ? { settings } : {}),
  });
  const { tools, needs_credential } = await send('POST', `/v1/mcp/servers/${server.id}/discover`, {});
  if (tools.length === 0) throw new Error(`the server has no tools: ${JSON.stringify(needs_credential)}`);
  for (const { id, pin } of tools)
    await send('POST', `/v1/mcp/servers/${server.id}/tools/${id}/authorize`, {
      ...{ pin, required_capability: 'pay', agent_ids: [agent.id], accept_findings: true },
    });
  return { ...governed, serverId: server.id, slug: server.slug, url: `${planes.gatewayUrl}/gateway/v1/mcp/${server.id}` };
};

/** Governs one server for a tenant of its own. */
export const newGovernedServer = async (planes: Planes, upstream: string, { name, settings, ...options }: Options = {}) =>
  governServer(await newGoverned(planes, options), upstream, { ...(name ? { name } : {}), ...(settings ? { settings } : {}) });
