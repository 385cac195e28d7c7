import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Response of an exchange rate provider: a value as JSON, or a raw response. */
export type RateAnswer =
  | { readonly json: unknown; readonly status?: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly text: string; readonly status?: number; readonly headers?: Readonly<Record<string, string>> }
  | 'hangs'
  | 'resets';

export type RateRequest = { readonly method: string; readonly url: string; readonly headers: IncomingHttpHeaders; readonly body: string };

/** An exchange rate provider on this machine that records every request, and responds as the test says. */
export type TestRateProvider = {
  readonly origin: string;
  readonly requests: RateRequest[];
  /** Sets how it responds from now on; a function is called each time, with the base currency of the query. */
  readonly answer: (how: RateAnswer | ((base: string) => RateAnswer)) => void;
  readonly close: () => Promise<void>;
};

export const startRateProvider = async (): Promise<TestRateProvider> => {
  const requests: RateRequest[] = [];
  let how: RateAnswer | ((base: string) => RateAnswer) = 'hangs';
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    requests.push({ method, url, headers, body: Buffer.concat(chunks).toString('utf8') });
    const base = new URL(url, 'http://provider').searchParams.get('base') ?? '';
    const answer = typeof how === 'function' ? how(base) : how;
    if (answer === 'hangs') return;
    if (answer === 'resets') return void request.socket.resetAndDestroy();
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
    response.end('text' in answer ? answer.text : JSON.stringify(answer.json));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A test that fails before it closes this must still be able to exit.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    answer: (next) => {
      how = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
