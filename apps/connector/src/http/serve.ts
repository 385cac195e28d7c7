import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  errorMessage,
  type Id,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  isId,
  METHOD_NOT_FOUND,
  type MessageMembers,
  readMessage,
  readParams,
  SERVER_BUSY,
} from '@svc/stdio/messages/message.ts';
import { NoAnswer } from '@svc/stdio/messages/server-link.ts';
import type { HostedAnswer, HostedServer } from '../servers/hosted-server.ts';

const BODY_BYTES_MAX = 4 * 1024 * 1024;
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
const PATH = /^\/([a-z0-9][a-z0-9-]{0,62})\/mcp$/;

type Reply = { readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> };

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const isAuthorized = (header: string | undefined, secret: Buffer): boolean =>
  header?.startsWith('Bearer ') === true && timingSafeEqual(digest(header.slice('Bearer '.length)), secret);

const readBody = async (request: IncomingMessage): Promise<string | undefined> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > BODY_BYTES_MAX) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
};

const json = (status: number, body: string, headers: Reply['headers'] = {}): Reply => ({
  status,
  body,
  headers: { 'content-type': 'application/json', ...headers },
});

const failure = (status: number, id: Id | null, code: number, message: string, headers: Reply['headers'] = {}): Reply =>
  json(status, errorMessage(id, code, message).line, headers);

const newReply = (id: Id, answer: HostedAnswer): Reply => {
  switch (answer.kind) {
    case 'ANSWERED': {
      const { result, error } = answer.value;
      return json(200, JSON.stringify({ jsonrpc: '2.0', id, ...(error === undefined ? { result } : { error }) }));
    }
    case 'BUSY':
      return failure(429, id, SERVER_BUSY, 'The server has as many calls as it may. Try again later.', { 'retry-after': '1' });
    case 'BACKING_OFF':
      return failure(503, id, INTERNAL_ERROR, `The server failed, and is started again in ${answer.seconds} seconds.`, {
        'retry-after': String(answer.seconds),
      });
    case 'NOT_STARTED':
      return failure(503, id, INTERNAL_ERROR, 'The server cannot be started. Look into the log of the connector.');
  }
};

/** Requests that are passed on. All others are refused: the gateway decides calls of tools and nothing else. */
const PASSED: readonly string[] = ['tools/list', 'tools/call'];

const answerMethod = async (server: HostedServer, id: Id, method: string, params: MessageMembers, signal: AbortSignal): Promise<Reply> => {
  if (method === 'ping') return json(200, JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
  if (method === 'initialize') return newReply(id, keepTools(await server.describe()));
  if (!PASSED.includes(method)) return failure(404, id, METHOD_NOT_FOUND, 'Method not found.');
  return newReply(id, await server.request(method, params, signal));
};

/** The description of a server, with no capability but tools. */
const keepTools = (answer: HostedAnswer): HostedAnswer => {
  if (answer.kind !== 'ANSWERED') return answer;
  const result = answer.value.result as MessageMembers;
  return { kind: 'ANSWERED', value: { result: { ...result, capabilities: { tools: {} } } } };
};

const noAnswer = (id: Id, { reason }: NoAnswer): Reply =>
  reason === 'TIMEOUT'
    ? failure(504, id, INTERNAL_ERROR, 'The server did not answer in time. The outcome is unknown.')
    : failure(502, id, INTERNAL_ERROR, 'The server ended during the call. The outcome is unknown.');

const answerMessage = async (server: HostedServer, text: string, signal: AbortSignal): Promise<Reply> => {
  const message = readMessage(text);
  const { id, method } = message?.value ?? {};
  if (message === undefined || typeof method !== 'string' || message.value.jsonrpc !== '2.0')
    return failure(400, null, INVALID_PARAMS, 'The body must be one JSON-RPC request or notification.');
  if (!isId(id)) return { status: 202 };
  try {
    return await answerMethod(server, id, method, readParams(message.value), signal);
  } catch (error) {
    if (error instanceof NoAnswer) return noAnswer(id, error);
    throw error;
  }
};

const abortWhenClosed = (response: ServerResponse): AbortSignal => {
  const controller = new AbortController();
  response.on('close', () => {
    if (!response.writableEnded) controller.abort();
  });
  return controller.signal;
};

type Serving = { readonly servers: ReadonlyMap<string, HostedServer>; readonly secret: Buffer };

/** Authenticates before anything is read. Browsers, which send an origin, have no business here. */
const answer = async ({ servers, secret }: Serving, request: IncomingMessage, response: ServerResponse): Promise<Reply> => {
  if (!isAuthorized(request.headers.authorization, secret)) return { status: 401, headers: { 'www-authenticate': 'Bearer' } };
  if (request.headers.origin !== undefined) return { status: 403 };
  const server = servers.get(PATH.exec(request.url ?? '')?.[1] ?? '');
  if (server === undefined) return { status: 404 };
  if (request.method !== 'POST') return { status: 405, headers: { allow: 'POST' } };
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers['content-type'] ?? '')) return { status: 415 };
  const body = await readBody(request);
  if (body === undefined) return { status: 413, headers: { connection: 'close' } };
  return answerMessage(server, body, abortWhenClosed(response));
};

const write = (response: ServerResponse, { status, body, headers = {} }: Reply): void => {
  if (response.destroyed) return;
  response.writeHead(status, { ...headers, 'cache-control': 'no-store' });
  response.end(body);
};

/** The HTTP server: `POST /<name>/mcp` for each hosted server. */
export const newHttpServer = (servers: ReadonlyMap<string, HostedServer>, secret: string, onError: (error: unknown) => void): Server => {
  const serving = { servers, secret: digest(secret) };
  const server = createServer({ headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS, maxHeaderSize: 16_384 }, (request, response) => {
    answer(serving, request, response).then(
      (reply) => write(response, reply),
      (error: unknown) => {
        onError(error);
        write(response, { status: 500 });
      },
    );
  });
  server.maxConnections = 1_024;
  return server;
};
