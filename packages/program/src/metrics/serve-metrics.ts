import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Where metrics are told: apart from the plane, since they are for whoever operates it. */
export type MetricsAddress = { readonly host: string; readonly port: number };

export type Metrics = { readonly text: () => Promise<string> };

const CONNECTIONS_MAX = 16;
const REQUEST_MS = 5_000;
const LOOK_FOR_SLOW_EVERY_MS = 1_000;
const PATH = '/metrics';

const answer = (metrics: readonly Metrics[], { method, url }: IncomingMessage, response: ServerResponse): void => {
  response.setHeader('connection', 'close');
  if (method !== 'GET' && method !== 'HEAD') response.writeHead(405, { allow: 'GET, HEAD' }).end();
  else if (url !== PATH) response.writeHead(404).end();
  else
    Promise.all(metrics.map((each) => each.text())).then(
      (texts) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(texts.join('')),
      () => response.writeHead(500).end(),
    );
};

/** Nothing takes long here, so that whoever holds most connections is closed for a newcomer, the oldest of them first. */
const makeRoom = (server: Server): void => {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    if (open.size >= CONNECTIONS_MAX) {
      const byAddress = Object.values(Object.groupBy(open, ({ remoteAddress }) => remoteAddress ?? ''));
      const [oldest] = byAddress.reduce<Socket[]>((most, held = []) => (held.length > most.length ? held : most), []);
      oldest?.destroy();
      if (oldest) open.delete(oldest);
    }
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
};

/** Tells metrics at `/metrics`; rejects when the address cannot be listened on. Answers how to stop. */
export const serveMetrics = ({ host, port }: MetricsAddress, metrics: readonly Metrics[]): Promise<() => Promise<void>> => {
  const bounds = { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS, connectionsCheckingInterval: LOOK_FOR_SLOW_EVERY_MS };
  const server = createServer({ ...bounds, maxHeaderSize: 4_096 }, (request, response) => answer(metrics, request, response));
  makeRoom(server);
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => resolve(stop));
  });
};

const FORM = /^(?:(\[[0-9a-f:.]{2,45}\]|[a-z0-9.-]{1,253}):)?([0-9]{1,5})$/i;

/** Reads `host:port` or `port`, which is on this machine alone; undefined when it is neither. */
export const readMetricsAddress = (text: string): MetricsAddress | undefined => {
  const [, host = '127.0.0.1', digits] = FORM.exec(text) ?? [];
  const port = Number(digits);
  return port >= 1 && port <= 65_535 ? { host: host.replace(/^\[|\]$/g, ''), port } : undefined;
};
