import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const PAGE = `<!doctype html><meta charset="utf-8"><title>Terminal connected</title>
<body style="font:16px system-ui;margin:20vh auto;max-width:30em;text-align:center"><h1>Terminal connected</h1><p>You can close this window.</p></body>`;

/** A server on 127.0.0.1 that waits for the browser to bring the code of one request. */
export type Loopback = {
  readonly port: number;
  /** Resolves to the code once a request with this state arrives. Every other request is answered with 404. */
  readonly waitForCode: (state: string) => Promise<string>;
  readonly close: () => void;
};

const listen = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

export const listenLoopback = async (): Promise<Loopback> => {
  let expected: string | undefined;
  let deliver: (code: string) => void = () => undefined;
  const delivered = new Promise<string>((resolve) => {
    deliver = resolve;
  });
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const code = searchParams.get('code');
    const isExpected = request.method === 'GET' && pathname === '/' && expected !== undefined && searchParams.get('state') === expected;
    if (!isExpected || code === null) {
      response.writeHead(404, { connection: 'close' }).end();
      return;
    }
    response
      .writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
        connection: 'close',
      })
      .end(PAGE);
    deliver(code);
  });
  const port = await listen(server);
  return {
    port,
    waitForCode: (state) => {
      expected = state;
      return delivered;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
