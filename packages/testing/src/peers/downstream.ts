import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How the downstream treats a call; the path selects it: POST /<how>. */
const MANNERS = {
  answers: (response: ServerResponse) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"done":true}'),
  /** Returns the order that it answers. */
  echoes: (response: ServerResponse, order: string) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ order })),
  rejects: (response: ServerResponse) => response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":"no"}'),
  mumbles: (response: ServerResponse) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"done":"\\u0000\\ud800"'),
  hangs: () => undefined,
  resets: (response: ServerResponse) => response.socket?.resetAndDestroy(),
  garbles: (response: ServerResponse) => response.socket?.end('¯\\_(ツ)_/¯\r\n\r\n'),
  'breaks-off': (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"done":', () => response.socket?.destroy());
  },
} as const;

export type DownstreamBehavior = keyof typeof MANNERS;

/** A third party that records every call by the `order` in the body. */
export type Downstream = {
  readonly url: (manner: DownstreamBehavior) => string;
  /** Number of arrivals per order. */
  readonly received: ReadonlyMap<string, number>;
  /** Runs when a call has arrived and before it is answered. */
  readonly before: (work: () => Promise<unknown>) => void;
  /** Aborts every connection; returns how many there were so far. */
  readonly cut: () => number;
  readonly close: () => Promise<void>;
};

const readText = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

export const startDownstream = async (): Promise<Downstream> => {
  const received = new Map<string, number>();
  let before = (): Promise<unknown> => Promise.resolve();
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { order } = JSON.parse(await readText(request)) as { order: string };
    received.set(order, (received.get(order) ?? 0) + 1);
    await before();
    MANNERS[request.url?.slice(1) as DownstreamBehavior](response, order);
  };
  let connections = 0;
  const server = createServer((request, response) => {
    // The caller may disconnect before the whole call was read.
    take(request, response).catch(() => response.destroy());
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A test that fails before it closes this must still be able to exit.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: (manner) => `http://127.0.0.1:${port}/${manner}`,
    received,
    before: (work) => {
      before = work;
    },
    cut: () => {
      server.closeAllConnections();
      return connections;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
