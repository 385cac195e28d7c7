import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LIMITS } from '@svc/contract/limits.ts';
import { failedWith } from '@svc/postgres/server/system-error.ts';

/** One request as the receiver saw it. */
export type Received = { readonly id: number; readonly at: string; readonly method: string; readonly path: string; readonly body: unknown };

export type Sandbox = { readonly origin: string; readonly stop: () => Promise<void> };

const keptMax = 100;
const bodyBytesMax = LIMITS.bodies.requestBytesMax;

/**
 * A stand-in for the systems that agents act on: it answers every request with what it received and can be asked for
 * the last hundred at GET /requests. Reached from this machine only; of what it received nothing outlives the process.
 * The port is remembered in the file, so that tools which name this address still reach it after the next start.
 */
export const startSandbox = async (portFile: string): Promise<Sandbox> => {
  const kept: Received[] = [];
  let count = 0;
  const receive = (request: IncomingMessage, body: unknown): Received => {
    count += 1;
    const received = { id: count, at: new Date().toISOString(), method: request.method ?? '', path: request.url ?? '', body };
    kept.unshift(received);
    kept.length = Math.min(kept.length, keptMax);
    return received;
  };
  const server = createServer((request, response) => {
    if (request.method === 'GET' && request.url === '/requests') return answer(response, 200, { requests: kept });
    readBody(request, (body) => {
      if (body === undefined) return answer(response, 413, { error: `A body may have ${bodyBytesMax} bytes.` });
      const { id, method, path, body: parsed } = receive(request, parse(body));
      return answer(response, 200, { received: { method, path, body: parsed }, id });
    });
    return undefined;
  });
  const port = await listenAgain(server, readPort(portFile));
  writeFileSync(portFile, `${port}\n`);
  const stop = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { origin: `http://127.0.0.1:${port}`, stop };
};

const readPort = (file: string): number => {
  const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  return /^\d{4,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : 0;
};

/** On the port wanted or, when another program has taken it, on any that is free. */
const listenAgain = async (server: Server, wanted: number): Promise<number> => {
  try {
    server.listen(wanted, '127.0.0.1');
    await once(server, 'listening');
  } catch (error) {
    if (wanted === 0 || !failedWith(error, 'EADDRINUSE', 'EACCES')) throw error;
    return listenAgain(server, 0);
  }
  return (server.address() as AddressInfo).port;
};

/** Undefined for a body beyond the limit, of which no more than that is held. */
const readBody = (request: IncomingMessage, done: (body: Buffer | undefined) => void): void => {
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= bodyBytesMax) chunks.push(chunk);
    else chunks.length = 0;
  });
  request.on('end', () => done(size > bodyBytesMax ? undefined : Buffer.concat(chunks)));
};

const parse = (body: Buffer): unknown => {
  if (body.length === 0) return null;
  const text = body.toString('utf8');
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return text;
  }
};

const answer = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
