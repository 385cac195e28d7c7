import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server';
import { freePort } from '../processes/free-port.ts';

const require = createRequire(import.meta.url);

/** A server that listens on this machine until it is closed. */
export type OpenServer = { readonly url: string; readonly close: () => Promise<void> };

export type RequestHandler = (request: IncomingMessage, response: ServerResponse, body: string) => unknown;

/** Serves HTTP on this machine; `url` is the address of the path `/mcp`. */
export const serveHttp = async (handler: RequestHandler): Promise<OpenServer> => {
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    await handler(request, response, Buffer.concat(pieces).toString());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** Serves an MCP server of the reference SDK. `legacy: 'reject'` omits revisions before 2026-07-28. */
export const serveReference = (factory: () => McpServer, { legacy = 'reject' }: { legacy?: 'reject' | 'stateless' } = {}) => {
  const handle = toNodeHandler(createMcpHandler(factory, { legacy }));
  return serveHttp((request, response, body) =>
    handle(request as NodeIncomingMessageLike, response, body === '' ? undefined : JSON.parse(body)),
  );
};

/** Starts the reference server with one tool of each kind, revision 2025-11-25. */
export const startEverythingServer = async (): Promise<OpenServer> => {
  const port = await freePort();
  const main = require.resolve('@modelcontextprotocol/server-everything/dist/index.js');
  const child = spawn(process.execPath, [main, 'streamableHttp'], { env: { PORT: String(port) }, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the reference server ended')));
    child.stderr.on('data', (piece: Buffer) => {
      if (piece.includes('listening')) resolve();
    });
  });
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: async () => {
      child.kill();
      await ended;
    },
  };
};
