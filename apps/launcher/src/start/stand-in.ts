import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { ERRORS, getDocsUrl } from '@svc/contract/tables/errors.ts';
import { HEADERS } from '@svc/contract/tables/wire-name.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { Stoppable } from '../stop/stop-in-order.ts';

const LIVE = { status: 'ok', checks: { process: 'ok' } };
const CODE = 'DEPENDENCY_UNAVAILABLE';
const NOT_READY = { message: 'The database does not respond.', details: { checks: { database: 'unavailable' } } };
const REFUSED = {
  message: 'This service is waiting for its database, and the request was not started. Try again.',
  details: { retry_after_seconds: 1 },
};
const REQUEST_MS = 5_000;

const send = (response: ServerResponse, status: number, body: object): void => {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', connection: 'close' };
  response.writeHead(status, headers).end(JSON.stringify(body));
};

const refuse = (response: ServerResponse, refused: typeof NOT_READY | typeof REFUSED): void => {
  const request_id = newId('request');
  const { status, remedy } = ERRORS[CODE];
  response.setHeader(HEADERS.requestId, request_id).setHeader('retry-after', '1');
  send(response, status, { error: { code: CODE, remedy, docs_url: getDocsUrl(CODE), request_id, ...refused } });
};

const openStandIn = async (host: string, port: number): Promise<Server> => {
  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, ({ url }, response) => {
    if (url === ENDPOINTS.controlLive.path) send(response, 200, LIVE);
    else refuse(response, url === ENDPOINTS.controlReady.path ? NOT_READY : REFUSED);
  });
  server.maxConnections = 256;
  server.listen({ host, port });
  await once(server, 'listening');
  return server;
};

/** Listens on the ports of both planes and reports them as not ready, while a start waits for its database. */
export const openStandIns = async (host: string, ports: readonly number[]): Promise<Stoppable> => {
  const servers = await Promise.all(ports.map((port) => openStandIn(host, port)));
  const close = (server: Server): Promise<unknown> => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    return closed;
  };
  return { name: 'stand-in', stop: async () => void (await Promise.all(servers.map(close))) };
};
