import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The address of the metrics endpoint: separate from the plane, since metrics are for operators. */
export type MetricsAddress = { readonly host: string; readonly port: number };

export type Metrics = { readonly text: () => Promise<string> };

/** The health check of a program that has no other port. */
export type Health = () => Promise<{ readonly status: number; readonly body: unknown }>;
export type HealthPaths = Readonly<Record<string, Health>>;

const CONNECTIONS_MAX = 16;
const REQUEST_MS = 5_000;
const LOOK_FOR_SLOW_EVERY_MS = 1_000;
const PATH = '/metrics';

const tellHealth = (health: Health, response: ServerResponse): void =>
  void health().then(
    ({ status, body }) => response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body)),
    () => response.writeHead(500).end(),
  );

type Told = { readonly metrics: readonly Metrics[]; readonly health: HealthPaths };

const answer = ({ metrics, health }: Told, { method, url = '' }: IncomingMessage, response: ServerResponse): void => {
  response.setHeader('connection', 'close');
  const asked = Object.hasOwn(health, url) ? health[url] : undefined;
  if (method !== 'GET' && method !== 'HEAD') response.writeHead(405, { allow: 'GET, HEAD' }).end();
  else if (asked !== undefined) tellHealth(asked, response);
  else if (url !== PATH) response.writeHead(404).end();
  else
    Promise.all(metrics.map((each) => each.text())).then(
      (texts) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(texts.join('')),
      () => response.writeHead(500).end(),
    );
};

/** Closes the oldest connection of the client with the most, to free capacity for a newcomer: no request takes long here. */
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

/**
 * Serves metrics at `/metrics`, and health if it is given; rejects if the address cannot be listened on. Returns a function that stops it.
 */
export const serveMetrics = (
  { host, port }: MetricsAddress,
  metrics: readonly Metrics[],
  health: HealthPaths = {},
): Promise<() => Promise<void>> => {
  const bounds = { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS, connectionsCheckingInterval: LOOK_FOR_SLOW_EVERY_MS };
  const server = createServer({ ...bounds, maxHeaderSize: 4_096 }, (request, response) => answer({ metrics, health }, request, response));
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

/** Parses `host:port`, or `port`, which listens on the loopback address; undefined if it is neither. */
export const readMetricsAddress = (text: string): MetricsAddress | undefined => {
  const [, host = '127.0.0.1', digits] = FORM.exec(text) ?? [];
  const port = Number(digits);
  return port >= 1 && port <= 65_535 ? { host: host.replace(/^\[|\]$/g, ''), port } : undefined;
};
