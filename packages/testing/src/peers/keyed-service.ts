import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type KeyedRequest = { readonly method: string; readonly url: URL; readonly headers: IncomingHttpHeaders; readonly body: string };

/** An external service that records calls and responds as the test says. */
export type KeyedService = {
  /** `127.0.0.1:<port>` */
  readonly host: string;
  /** Every call since the last `answer`. */
  readonly taken: KeyedRequest[];
  /** Sets how it responds from now on. */
  readonly answer: (how: (taken: KeyedRequest, response: ServerResponse) => unknown) => void;
  readonly close: () => Promise<void>;
};

export const startKeyedService = async (): Promise<KeyedService> => {
  const taken: KeyedRequest[] = [];
  let how: (taken: KeyedRequest, response: ServerResponse) => unknown = (_taken, response) => response.end('fine');
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const { method = '', headers } = request;
    const call = { method, url: new URL(request.url ?? '', 'http://service.invalid'), headers, body };
    taken.push(call);
    how(call, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A test that fails before it closes this must still be able to exit.
  server.unref();
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    answer: (next) => {
      taken.length = 0;
      how = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
