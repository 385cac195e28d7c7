import { writeFileSync } from 'node:fs';
import { KNOWLEDGE_SERVER_PATH } from '../../sandbox/knowledge-server.ts';
import { getSandboxEditionFile } from '../../sandbox/sandbox.ts';
import type { ControlPlane } from '../control-plane.ts';
import { ensureMcpServer } from './ensure.ts';
import type { Fleet } from './seed-fleet.ts';

const KNOWLEDGE = { name: 'Knowledge base', tool: 'search_articles' } as const;
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

/** Creates an MCP server whose tool changed its definition after it was authorized. Existing data is not changed. */
const seedPinChange = async (owner: ControlPlane, { triage }: Fleet, sandboxOrigin: string, dataDir: string): Promise<void> => {
  const { environment_id } = triage;
  const servers = await owner.ask('listMcpServers', { query: { environment_id } });
  if (servers.some(({ name }) => name === KNOWLEDGE.name)) return;
  const url = `${sandboxOrigin}${KNOWLEDGE_SERVER_PATH}`;
  await ensureMcpServer(owner, { id: environment_id }, { ...KNOWLEDGE, url, agentId: triage.id });
  writeFileSync(getSandboxEditionFile(dataDir), '2\n');
  const known = await owner.ask('listMcpServers', { query: { environment_id } });
  const server = known.find(({ name }) => name === KNOWLEDGE.name);
  if (server !== undefined) await owner.ask('discoverMcpServer', { params: { serverId: server.id }, body: {} });
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

export const seedPeers = async (owner: ControlPlane, fleet: Fleet, sandboxOrigin: string, dataDir: string): Promise<void> => {
  await seedPinChange(owner, fleet, sandboxOrigin, dataDir);
  await seedRuntime(owner, fleet);
};
