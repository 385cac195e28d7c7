import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a receiver treats a delivery; the path selects it: POST /<manner>. The rest of the path is the test's. */
const MANNERS = {
  takes: (response: ServerResponse) => response.writeHead(204).end(),
  answers: (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"token":"svc_key_secret123456","ok":tr'),
  'says half a character': (response: ServerResponse) => response.writeHead(200).end(`${'a'.repeat(499)}😀`),
  rejects: (response: ServerResponse) => response.writeHead(500).end('out of order'),
  'asks to wait': (response: ServerResponse) => response.writeHead(429, { 'retry-after': '7200' }).end(),
  'is gone': (response: ServerResponse) => response.writeHead(410).end(),
  redirects: (response: ServerResponse) => response.writeHead(307, { location: '/takes/redirected' }).end(),
  'says much': (response: ServerResponse) => response.writeHead(200).end('x'.repeat(2_000_000)),
  hangs: () => undefined,
  drips: (response: ServerResponse) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 1_000);
    response.on('close', () => clearInterval(timer));
  },
  breaks: (response: ServerResponse) => response.socket?.resetAndDestroy(),
} as const;

export type ReceiverManner = keyof typeof MANNERS;

/** One received delivery. */
export type Received = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
};

/** A receiver of webhooks that records everything. */
export type WebhookReceiver = {
  readonly url: (manner: ReceiverManner, more?: string) => string;
  readonly received: readonly Received[];
  /** Returns what arrived below a path. */
  readonly of: (more: string) => readonly Received[];
  /** Sets how deliveries to any path are treated. */
  readonly take: (more: string, manner: ReceiverManner) => void;
  readonly close: () => Promise<void>;
};

const readText = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

export const startWebhookReceiver = async (): Promise<WebhookReceiver> => {
  const received: Received[] = [];
  const manners = new Map<string, ReceiverManner>();
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const at = performance.now();
    const [, manner = '', more = ''] = decodeURI(request.url ?? '').split('/');
    received.push({ path: more, headers: request.headers, body: await readText(request), at });
    MANNERS[manners.get(more) ?? (manner as ReceiverManner)](response);
  };
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: (manner, more = '') => encodeURI(`http://127.0.0.1:${port}/${manner}/${more}`),
    received,
    of: (more) => received.filter(({ path }) => path === more),
    take: (more, manner) => void manners.set(more, manner),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};
