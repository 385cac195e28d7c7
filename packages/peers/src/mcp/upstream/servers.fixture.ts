import type { ServerResponse } from 'node:http';
import type { McpServer } from '@modelcontextprotocol/server';
import { createEgress, type EgressSettings } from '@svc/egress/create-egress.ts';
import {
  type OpenServer,
  type RequestHandler,
  serveHttp,
  serveReference,
  startEverythingServer,
} from '@svc/testing/peers/reference-servers.ts';
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

const opened = async (opening: Promise<OpenServer>): Promise<string> => {
  const { url, close } = await opening;
  open.push(close);
  return url;
};

/** Serves HTTP on this machine, and returns the address of its path `/mcp`. */
export const serve = (handler: RequestHandler): Promise<string> => opened(serveHttp(handler));

/** Serves an MCP server of revision 2026-07-28. */
export const serveModern = (factory: () => McpServer): Promise<string> => opened(serveReference(factory));

/** Starts the reference server, which speaks 2025-11-25. */
export const startEverything = (): Promise<string> => opened(startEverythingServer());

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
