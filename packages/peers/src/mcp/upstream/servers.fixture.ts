import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server';
import { createEgress, type EgressSettings } from '@svc/egress/create-egress.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';
import type { Send } from './connection.ts';

const open: (() => unknown)[] = [];

/** Stops all that the test opened. */
export const closeAll = async (): Promise<void> => {
  for (const close of open.splice(0).reverse()) await close();
};

/** A real egress client that may call this machine. */
export const newSend = (settings: Partial<EgressSettings> = {}): Send => {
  const egress = createEgress({ allowRealEgress: true, allowCidrs: ['127.0.0.0/8'], timeoutMs: 15_000, ...settings });
  open.push(egress.close);
  return (request) => egress.call({ ...request, tenant: 'org_1' });
};

export type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => unknown;

/** Serves HTTP on this machine, and returns the address of its path `/mcp`. */
export const serve = async (handler: Handler): Promise<string> => {
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    await handler(request, response, Buffer.concat(pieces).toString());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
};

/** Serves an MCP server of revision 2026-07-28. `legacy: 'reject'` leaves out older revisions. */
export const serveModern = async (factory: () => McpServer): Promise<string> => {
  const handle = toNodeHandler(createMcpHandler(factory, { legacy: 'reject' }));
  return serve((request, response, body) =>
    handle(request as NodeIncomingMessageLike, response, body === '' ? undefined : JSON.parse(body)),
  );
};

/** Starts the reference server, which speaks 2025-11-25. */
export const startEverything = async (): Promise<string> => {
  const port = await freePort();
  const main = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
  const child = spawn(process.execPath, [main, 'streamableHttp'], { env: { PORT: String(port) }, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  open.push(async () => {
    child.kill();
    await ended;
  });
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the reference server ended')));
    child.stderr.on('data', (piece: Buffer) => {
      if (piece.includes('listening')) resolve();
    });
  });
  return `http://127.0.0.1:${port}/mcp`;
};

/** A JSON-RPC request as a handler reads it. */
export type Asked = { readonly id: number; readonly method: string; readonly params: Record<string, unknown> };

export const answerJson = (response: ServerResponse, value: unknown, status = 200, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
};

/** Serves a modern server whose pages of tools the test writes. */
export const servePages = (page: (cursor: string | undefined, response: ServerResponse, id: number) => unknown): Promise<string> =>
  serve((_request, response, body) => {
    const { id, method, params } = JSON.parse(body) as Asked;
    if (method === 'server/discover')
      return answerJson(response, {
        jsonrpc: '2.0',
        id,
        result: { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
      });
    const result = page(params.cursor as string | undefined, response, id);
    return result === undefined ? undefined : answerJson(response, { jsonrpc: '2.0', id, result });
  });
