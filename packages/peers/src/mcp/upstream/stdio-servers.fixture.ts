import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const require = createRequire(import.meta.url);

const SERVERS = {
  everything: [require.resolve('@modelcontextprotocol/server-everything/dist/index.js')],
  filesystem: [require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'), '/tmp'],
  memory: [require.resolve('@modelcontextprotocol/server-memory/dist/index.js')],
} as const;

export type ReferenceServer = keyof typeof SERVERS;

export const REFERENCE_SERVERS = Object.keys(SERVERS) as readonly ReferenceServer[];

/** Starts a reference server, lists its tools over stdio, and ends it. Returns the JSON text of each. */
export const listOverStdio = async (server: ReferenceServer): Promise<readonly string[]> => {
  const child = spawn(process.execPath, [...SERVERS[server]], { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'svc', version: '0.1.0' } };
  send({ id: 1, method: 'initialize', params });
  try {
    for await (const line of createInterface(child.stdout)) {
      const { id, result } = JSON.parse(line) as { id?: number; result?: { tools?: readonly object[] } };
      if (id === 1) {
        send({ method: 'notifications/initialized' });
        send({ id: 2, method: 'tools/list' });
      }
      if (id === 2) return (result?.tools ?? []).map((tool) => JSON.stringify(tool));
    }
  } finally {
    child.kill();
    await ended;
  }
  throw new Error(`the server ${server} ended without a list of tools`);
};
