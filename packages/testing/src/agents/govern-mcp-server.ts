import { mustCall } from '../people/client.ts';
import type { Tenant } from '../people/tenant.ts';
import { newControlClient } from '../people/typed-client.ts';
import type { Planes } from '../planes/start-planes.ts';
import { type Governed, type GovernedOptions, newGoverned } from './governed.ts';

/** The tenant that governs a server, and the agents that may call its tools. */
type Governing = {
  readonly planes: Pick<Planes, 'controlUrl' | 'gatewayUrl'>;
  readonly tenant: Tenant;
  readonly agent: { readonly id: string };
  readonly otherAgents?: readonly { readonly id: string }[];
};

type Registered = { readonly serverId: string; readonly slug: string; readonly url: string };

/** An MCP server whose tools are all authorized for the agent. */
export type GovernedServer = Governed & Registered;

type Options = {
  readonly name?: string;
  readonly settings?: object;
  /** Bearer secret that the server requires. */
  readonly secret?: string;
};

/** Registers a server, discovers its tools and authorizes each for the agents, which need the capability `pay`. */
export const governServer = async <Scene extends Governing>(
  scene: Scene,
  upstream: string,
  { name = 'Peer', settings = {}, secret }: Options = {},
): Promise<Scene & Registered> => {
  const { planes, tenant, agent, otherAgents = [] } = scene;
  const send = (path: string, body: object) => mustCall(planes.controlUrl, 'POST', path, { token: tenant.token, body });
  const transport = { type: 'HTTP', url: upstream };
  const { id, slug } = await send('/v1/mcp/servers', { name, environment_id: tenant.environment_id, transport, settings });
  if (secret !== undefined) {
    const destinations = [new URL(upstream).host];
    const { environment_id } = tenant;
    const stored = await send('/v1/credentials', { name, environment_id, scheme: 'BEARER', destinations, servers: [slug], secret });
    const body = { credential_id: stored.id };
    await newControlClient(planes.controlUrl, tenant.token).updateMcpServer({ params: { serverId: id }, body });
  }
  const { tools, needs_credential } = await send(`/v1/mcp/servers/${id}/discover`, {});
  if (tools.length === 0) throw new Error(`the server has no tools: ${JSON.stringify(needs_credential)}`);
  const agent_ids = [agent, ...otherAgents].map((each) => each.id);
  for (const tool of tools)
    await send(`/v1/mcp/servers/${id}/tools/${tool.id}/authorize`, {
      ...{ pin: tool.pin, required_capability: 'pay', agent_ids, accept_findings: true },
    });
  return { ...scene, serverId: id, slug, url: `${planes.gatewayUrl}/gateway/v1/mcp/${id}` };
};

/** Governs one server for a tenant of its own. */
export const newGovernedServer = async (
  planes: Planes,
  upstream: string,
  options: GovernedOptions & Options = {},
): Promise<GovernedServer> => governServer(await newGoverned(planes, options), upstream, options);
