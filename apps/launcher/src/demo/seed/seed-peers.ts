import { writeFileSync } from 'node:fs';
import { Governance } from '@svc/sdk/governance.ts';
import { KNOWLEDGE_SERVER_PATH } from '../../sandbox/knowledge-server.ts';
import { getSandboxEditionFile } from '../../sandbox/sandbox.ts';
import type { ControlPlane } from '../control-plane.ts';
import { KNOWLEDGE_SERVER } from '../demo-tools.ts';
import { askOnce } from './ask-once.ts';
import { ensureMcpServer } from './ensure.ts';
import type { Fleet } from './seed-fleet.ts';
import type { SeedPlaces } from './seed-organization.ts';

const RUNTIME = 'Developer laptops';

/** A typical laptop configuration: one server is reached directly, one package has no version, and one secret is in the file. */
const LAPTOP_FILE = {
  path: '/project/.mcp.json',
  content: JSON.stringify({
    mcpServers: {
      tickets: { type: 'http', url: 'https://tickets.example/mcp', headers: { authorization: 'Bearer made-up-token-of-the-demo' } },
      files: { command: 'npx', args: ['-y', 'mcp-files'] },
    },
  }),
};

/** Addresses of the sandbox receiver and the gateway, and the key of the triage agent. */
type PeerPlaces = SeedPlaces & { readonly gatewayUrl: string; readonly privateKey: string };

/** Searches articles as the triage agent, once for each key. */
const searchArticles = async ({ triage }: Fleet, { gatewayUrl, privateKey }: PeerPlaces, key: string): Promise<void> => {
  const governance = new Governance({ gatewayUrl, agentId: triage.id, privateKey });
  await askOnce(governance, KNOWLEDGE_SERVER.name, { parameters: { query: 'opening hours' } }, `articles-${key}`);
};

/**
 * Creates an MCP server whose tool changed its definition after it was authorized and called: the next call is refused. Existing data is not
 * changed.
 */
const seedPinChange = async (owner: ControlPlane, fleet: Fleet, places: PeerPlaces): Promise<void> => {
  const { environment_id, id: agentId } = fleet.triage;
  const { server: name, tool } = KNOWLEDGE_SERVER;
  const servers = await owner.ask('listMcpServers', { query: { environment_id } });
  if (servers.some((each) => each.name === name)) return;
  const url = `${places.sandboxOrigin}${KNOWLEDGE_SERVER_PATH}`;
  await ensureMcpServer(owner, { id: environment_id }, { name, tool, url, agentId });
  await searchArticles(fleet, places, 'before');
  writeFileSync(getSandboxEditionFile(places.dataDir), '2\n');
  const known = await owner.ask('listMcpServers', { query: { environment_id } });
  const server = known.find((each) => each.name === name);
  if (server !== undefined) await owner.ask('discoverMcpServer', { params: { serverId: server.id }, body: {} });
  await searchArticles(fleet, places, 'after');
};

/** Creates a runtime whose reported configuration bypasses the gateway. Existing data is not changed. */
const seedRuntime = async (owner: ControlPlane, { triage }: Fleet): Promise<void> => {
  const { items } = await owner.ask('listRuntimes', { query: { limit: 200 } });
  if (items.some(({ name }) => name === RUNTIME)) return;
  const { environment_id, workspace_id } = triage;
  const runtime = await owner.ask('registerRuntime', {
    body: { name: RUNTIME, kind: 'MCP_CLIENT', environment_id, workspace_id, agent_id: triage.id },
  });
  await owner.ask('reportRuntime', { params: { runtimeId: runtime.id }, body: { files: [LAPTOP_FILE] } });
};

export const seedPeers = async (owner: ControlPlane, fleet: Fleet, places: PeerPlaces): Promise<void> => {
  await seedPinChange(owner, fleet, places);
  await seedRuntime(owner, fleet);
};
