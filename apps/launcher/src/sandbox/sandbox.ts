import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path, { dirname } from 'node:path';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { hasErrorCode } from '@svc/database-server/system/system-error.ts';

import { answerKnowledgeServer, KNOWLEDGE_SERVER_PATH } from './knowledge-server.ts';
import { answerPartnerAgent, buildPartnerCard, PARTNER_AGENT_PATH, PARTNER_CARD_PATH } from './partner-agent.ts';
import { answerTicketServer, TICKET_SERVER_PATH } from './ticket-server.ts';

/** One received request. */
export type SandboxRequest = {
  readonly id: number;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
};

/** A received request with its body as bytes, which take no more memory than they arrived with. */
type Kept = Omit<SandboxRequest, 'body'> & { readonly body: Buffer };

/** `key` authenticates reads of what was received, in the header `authorization: Bearer`. */
export type Sandbox = { readonly origin: string; readonly key: string; readonly stop: () => Promise<void> };

const { requestsKeptMax, keptBytesMax } = LIMITS.sandbox;
const bodyBytesMax = LIMITS.bodies.requestBytesMax;

/** Returns the file of a data folder that stores the port of its receiver. */
export const getSandboxPortFile = (dataDir: string): string => path.join(dataDir, 'sandbox.port');

/** Returns the file of a data folder whose presence means that the knowledge base has published its later edition. */
export const getSandboxEditionFile = (dataDir: string): string => path.join(dataDir, 'sandbox.edition');

/** Stores the newest requests within a memory limit, newest first. */
const newMemory = () => {
  const kept: Kept[] = [];
  let count = 0;
  let bytes = 0;
  return {
    kept,
    add: ({ method = '', url = '' }: IncomingMessage, body: Buffer): Kept => {
      count += 1;
      const received = { id: count, at: new Date().toISOString(), method, path: url, body };
      kept.unshift(received);
      bytes += body.length;
      while (kept.length > requestsKeptMax || bytes > keptBytesMax) bytes -= kept.pop()?.body.length ?? 0;
      return received;
    },
  };
};

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const bears = (request: IncomingMessage, key: string): boolean =>
  timingSafeEqual(digest(request.headers.authorization ?? ''), digest(`Bearer ${key}`));

/**
 * Starts a stand-in for the systems that agents act on: it answers every request with what it received, and at some paths as an MCP server or as the
 * agent of a partner.
 * Tools of all organizations call it, so GET /requests is only for the owner of the data folder, who has the key; anyone else gets the
 * usual response there. Reachable from this machine only; nothing received outlives the process. The port is stored in the file, so that
 * tools with this address still reach it after the next start.
 */
export const startSandbox = async (portFile: string): Promise<Sandbox> => {
  const memory = newMemory();
  const key = randomBytes(24).toString('base64url');
  const editionFile = getSandboxEditionFile(dirname(portFile));
  let origin = '';
  const server = createServer((request, response) => {
    if (request.method === 'GET' && request.url === '/requests' && bears(request, key))
      return answer(response, 200, { requests: memory.kept.map((received) => ({ ...received, body: parse(received.body) })) });
    readBody(request, (body) => {
      if (body === undefined) return answer(response, 413, { error: `A body may have ${bodyBytesMax} bytes.` });
      const { id, method, path } = memory.add(request, body);
      if (method === 'POST' && path === TICKET_SERVER_PATH) {
        const { status, message } = answerTicketServer(parse(body));
        return answer(response, status, message);
      }
      if (method === 'POST' && path === KNOWLEDGE_SERVER_PATH) {
        const { status, message } = answerKnowledgeServer(parse(body), existsSync(editionFile));
        return answer(response, status, message);
      }
      if (method === 'GET' && path === PARTNER_CARD_PATH) return answer(response, 200, buildPartnerCard(origin, dirname(portFile)));
      if (method === 'POST' && path === PARTNER_AGENT_PATH) return answer(response, 200, answerPartnerAgent(parse(body)));
      return answer(response, 200, { received: { method, path, body: parse(body) }, id });
    });
    return undefined;
  });
  const port = await listenAgain(server, readPort(portFile));
  writeFileSync(portFile, `${port}\n`);
  origin = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { origin, key, stop };
};

const readPort = (file: string): number => {
  const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  return /^\d{4,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : 0;
};

/** Listens on the wanted port or, if another program has it, on a free one. */
const listenAgain = async (server: Server, wanted: number): Promise<number> => {
  try {
    server.listen(wanted, '127.0.0.1');
    await once(server, 'listening');
  } catch (error) {
    if (wanted === 0 || !hasErrorCode(error, 'EADDRINUSE', 'EACCES')) throw error;
    return listenAgain(server, 0);
  }
  return (server.address() as AddressInfo).port;
};

/** Returns undefined for a body beyond the limit, of which no more is held. */
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
