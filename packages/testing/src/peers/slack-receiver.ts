import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Response kinds of a receiver: Slack's for an accepted message, a rate limit, an unknown webhook and an error; and others'. */
const MANNERS = {
  takes: (response: ServerResponse) => response.end('ok'),
  limits: (response: ServerResponse) => response.writeHead(429, { 'retry-after': '1800' }).end('rate_limited'),
  unknown: (response: ServerResponse) => response.writeHead(404).end('no_service'),
  breaks: (response: ServerResponse, path: string) => response.writeHead(500).end(`broken at ${path}`),
  redirects: (response: ServerResponse) => response.writeHead(307, { location: '/services/T0/B0/takes-redirected' }).end(),
  hangs: () => undefined,
} as const;
export type ReceiverBehavior = keyof typeof MANNERS;

export type SlackPost = { readonly at: number; readonly text: string };
export type SlackReceiver = {
  readonly host: string;
  /** Returns an incoming webhook that responds in this way. */
  readonly url: (manner: ReceiverBehavior, token: string) => string;
  /** Returns the posts for a token in order. */
  readonly of: (token: string) => readonly SlackPost[];
  /** Aborts hanging requests. */
  readonly hangUp: () => void;
  /** Answers hanging requests for a token in this way. */
  readonly answer: (token: string, manner: ReceiverBehavior) => void;
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
      MANNERS[manner as ReceiverBehavior](response, request.url ?? '');
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
