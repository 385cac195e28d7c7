import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How it answers: as Slack does when it takes a message, is asked too often, knows no such webhook or is broken; and as others might. */
const MANNERS = {
  takes: (response: ServerResponse) => response.end('ok'),
  limits: (response: ServerResponse) => response.writeHead(429, { 'retry-after': '1800' }).end('rate_limited'),
  unknown: (response: ServerResponse) => response.writeHead(404).end('no_service'),
  breaks: (response: ServerResponse, path: string) => response.writeHead(500).end(`broken at ${path}`),
  redirects: (response: ServerResponse) => response.writeHead(307, { location: '/services/T0/B0/takes-redirected' }).end(),
  hangs: () => undefined,
} as const;
export type Manner = keyof typeof MANNERS;

export type SlackPost = { readonly at: number; readonly text: string };
export type SlackReceiver = {
  readonly host: string;
  /** An incoming webhook that answers in this manner. */
  readonly url: (manner: Manner, token: string) => string;
  /** What came in under a token, in its order. */
  readonly of: (token: string) => readonly SlackPost[];
  /** Ends what hangs. */
  readonly hangUp: () => void;
  /** Answers what hangs under a token, in this manner. */
  readonly answer: (token: string, manner: Manner) => void;
  readonly close: () => Promise<void>;
};

const PATH = /^\/services\/T0\/B0\/(\w+)-(\w+)$/;

/** Incoming webhooks, on a port of its own. */
export const startSlackReceiver = async (): Promise<SlackReceiver> => {
  const posts = new Map<string, SlackPost[]>();
  const hanging = new Map<string, ServerResponse[]>();
  const server = createServer((request, response) => {
    const [, manner = 'unknown', token = ''] = PATH.exec(request.url ?? '') ?? [];
    const at = performance.now();
    let body = '';
    request.setEncoding('utf8').on('data', (more) => {
      body += more;
    });
    request.on('end', () => {
      posts.set(token, [...(posts.get(token) ?? []), { at, text: JSON.parse(body).text }]);
      if (manner === 'hangs') hanging.set(token, [...(hanging.get(token) ?? []), response]);
      MANNERS[manner as Manner](response, request.url ?? '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: (manner, token) => `http://${host}/services/T0/B0/${manner}-${token}`,
    of: (token) => posts.get(token) ?? [],
    answer: (token, manner) => {
      for (const response of hanging.get(token) ?? []) MANNERS[manner](response, '');
      hanging.delete(token);
    },
    hangUp: () => server.closeAllConnections(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
