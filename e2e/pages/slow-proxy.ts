import { createServer, type Server, request as sendRequest } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** The treatment of requests for data: answer them, hold them, or end their connections. */
type ProxyMode = 'pass' | 'hold' | 'kill';

export type SlowProxy = {
  readonly url: string;
  readonly setMode: (mode: ProxyMode) => void;
  /** Requests for data that are held. */
  readonly countHeld: () => number;
  readonly close: () => Promise<void>;
};

/** What the session consists of is answered in every mode: without one there is no page. */
const SESSION = '/v1/auth/session';
/** The session reads it once; what reads it again is a page. */
const FACTORS = '/v1/auth/mfa';
const DOCUMENT = '/openapi.json';

/**
 * Forwards everything to the control plane, and holds or ends requests for data in those modes. A change of mode ends those that are held,
 * and holding begins with the load of a page.
 */
export const startSlowProxy = async (target: string): Promise<SlowProxy> => {
  let mode: ProxyMode = 'pass';
  const held = new Set<Socket>();
  let factorsRead = 0;
  const isData = (path: string): boolean => {
    if (path === SESSION) return false;
    if (path === FACTORS) factorsRead += 1;
    return path === FACTORS ? factorsRead > 1 : path.startsWith('/v1/') || path === DOCUMENT;
  };
  const server: Server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const isStopped = mode !== 'pass' && isData(path);
    if (isStopped && mode === 'kill') return request.socket.destroy();
    if (isStopped) return held.add(request.socket);
    const forwarded = sendRequest(`${target}${request.url}`, { method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    response.on('close', () => forwarded.destroy());
    forwarded.on('error', () => request.socket.destroy());
    return request.pipe(forwarded);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setMode: (next) => {
      mode = next;
      if (next === 'hold') factorsRead = 0;
      for (const socket of held) socket.destroy();
      held.clear();
    },
    countHeld: () => held.size,
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
};
