import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { HEADERS } from '@svc/contract/tables/wire-name.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import { readTraceId } from '@svc/program/ids/trace.ts';
import type { AccessLine, NotedFacts } from '@svc/program/log/new-logger.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AddressBudget } from '../admission/address-budget.ts';
import type { RequestPrincipals } from '../admission/rate-limit.ts';
import { refuseUnread } from '../admission/refuse-unread.ts';
import { toRefusal, toWire } from '../answers/error-to-wire.ts';
import type { ServeDeps } from '../calls/serve-deps.ts';
import { discardRemainingBody } from '../connections/discard-remaining-body.ts';
import type { RequestTrace } from '../watch/course.ts';
import type { Watch } from '../watch/open-watch.ts';
import type { AccessLines } from './access-lines.ts';

declare module 'fastify' {
  interface FastifyRequest {
    traceId: string;
    /** Authenticated caller; null if there is none. */
    recognised: RequestPrincipals | null;
    /** Facts that its handler adds to its log line. */
    noted: NotedFacts | null;
    /** Trace of the request; null without telemetry. */
    course: RequestTrace | null;
    /** Set-Cookie lines of its response. */
    cookiesToSet: readonly string[] | null;
  }
}

/** Hooks that every request passes. */
export type Enveloped = Pick<ServeDeps, 'watch'> & { readonly lines: AccessLines; readonly addressBudget: AddressBudget };

const SECURITY_HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };

/** Sets the headers of every response. */
const stamp = (request: FastifyRequest, reply: FastifyReply, watch: Watch | undefined): void => {
  const given = request.headers[HEADERS.traceParent];
  request.traceId = readTraceId(given);
  if (watch !== undefined) request.course = watch.begin(request.traceId, given);
  reply.headers({ [HEADERS.requestId]: request.id, [HEADERS.traceId]: request.traceId, ...SECURITY_HEADERS });
};

const REFUSED = 400;

/** Returns who was refused what, and from where, to distinguish attacks from mistakes. */
const refusedFacts = ({ refusedWith, recognised, ip }: FastifyRequest): Partial<AccessLine> => {
  const { caller, agent, directory } = recognised ?? {};
  const organization_id = (caller ?? agent ?? directory)?.organizationId;
  const actor_id = caller?.actor.id ?? agent?.agentId;
  return {
    ...(refusedWith === null ? {} : { refused_with: refusedWith }),
    ...(organization_id === undefined ? {} : { organization_id }),
    ...(actor_id ? { actor_id } : {}),
    // A proxy may write anything into its header.
    ...(isIP(ip) === 0 ? {} : { source_ip: ip }),
  };
};

const tell = (lines: AccessLines, request: FastifyRequest, reply: FastifyReply, route: string): void => {
  const log = lines.logOf(request, reply.statusCode);
  log?.({
    request_id: request.id,
    trace_id: request.traceId,
    method: request.method,
    route,
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 100) / 100,
    ...(reply.statusCode < REFUSED ? undefined : refusedFacts(request)),
    ...request.noted,
  } satisfies AccessLine);
};

/** Reports the response of a request to telemetry. */
const endCourse = (watch: Watch, request: FastifyRequest, { statusCode }: FastifyReply): void => {
  const { course, admitted, routeOptions } = request;
  if (course === null) return;
  watch.end(course, {
    operation: routeOptions.config?.operation ?? 'other',
    method: request.method,
    route: routeOptions.url ?? 'unknown',
    status: statusCode,
    code: request.refusedWith,
    requestId: request.id,
    organizationId: admitted?.scope.organization_id || undefined,
    agentId: admitted?.agent?.agentId,
  });
};

const { headersMax } = LIMITS.connections;
/**
 * Headers whose duplicates would let two readers of one request see two requests (request smuggling); the server itself keeps the first.
 */
const SINGLE_HEADERS = { authorization: 'Authorization', host: 'Host' } as const;
const SINGLE_LENGTHS = new Set(Object.keys(SINGLE_HEADERS).map(({ length }) => length));

const isSingle = (name: string): name is keyof typeof SINGLE_HEADERS => Object.hasOwn(SINGLE_HEADERS, name);

/** Returns a header of `SINGLE_HEADERS` that a request has twice. */
const repeatedHeader = ({ rawHeaders }: IncomingMessage): string | undefined => {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const { length } = rawHeaders[index] as string;
    if (!SINGLE_LENGTHS.has(length)) continue;
    const name = (rawHeaders[index] as string).toLowerCase();
    if (!isSingle(name)) continue;
    if (seen.has(name)) return SINGLE_HEADERS[name];
    seen.add(name);
  }
  return undefined;
};

const headerFault = ({ raw, headers }: FastifyRequest): string | undefined => {
  if (raw.rawHeaders.length > 2 * headersMax) return `The request has more than ${headersMax} headers.`;
  if (raw.httpVersion === '1.1' && headers.host === undefined) return 'The request must have a Host header.';
  const repeated = repeatedHeader(raw);
  return repeated === undefined ? undefined : `The request must have exactly one ${repeated} header.`;
};

/** Assigns ids to every request before any check, and writes its log line after the response. */
export const addEnvelope = (app: FastifyInstance, { lines, addressBudget, watch }: Enveloped): void => {
  app.decorateRequest('traceId', '');
  app.decorateRequest('recognised', null);
  app.decorateRequest('noted', null);
  app.decorateRequest('refusedWith', null);
  app.decorateRequest('course', null);
  app.decorateRequest('cookiesToSet', null);
  app.addHook('onRequest', (request, reply, done) => {
    stamp(request, reply, watch);
    const fault = headerFault(request);
    if (fault) refuseUnread(reply, addressBudget.takePlain(request.ip) ?? buildRefusal('INVALID_REQUEST', fault));
    else done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    tell(lines, request, reply, request.routeOptions.url ?? 'unknown');
    if (watch !== undefined) endCourse(watch, request, reply);
    if (!request.raw.complete) discardRemainingBody(request.raw);
    done();
  });
  // An unknown expectation may be ignored; the server would otherwise answer it in another format.
  app.server.on('checkExpectation', (request, response) => void app.server.emit('request', request, response));
};

/** Answers a path that cannot be parsed, for which no hook runs. */
export const answerUnroutable =
  ({ lines, addressBudget, watch }: Enveloped) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    stamp(request, reply, watch);
    const tooOften = addressBudget.takeUnrouted(request.ip) ?? addressBudget.takePlain(request.ip);
    if (tooOften) watch?.refused('address');
    refuseUnread(reply, tooOften ?? toRefusal(error));
    reply.raw.once('close', () => {
      tell(lines, request, reply, 'unknown');
      if (watch !== undefined) endCourse(watch, request, reply);
      if (!request.raw.complete) discardRemainingBody(request.raw);
    });
  };

const UNREADABLE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: `The headers are larger than 16 KiB, or more than ${headersMax}.`,
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
};

/** Answers bytes that are no HTTP request in the standard format; afterwards nothing more is read from that connection. */
export const answerUnreadable =
  (lines: AccessLines) =>
  (error: Error & { readonly code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const requestId = newId('request');
    const traceId = readTraceId(undefined);
    const { status, body } = toWire(
      buildRefusal('INVALID_REQUEST', UNREADABLE[error.code ?? ''] ?? 'The request is malformed.'),
      requestId,
    );
    const text = JSON.stringify(body);
    const headers = {
      [HEADERS.requestId]: requestId,
      [HEADERS.traceId]: traceId,
      ...SECURITY_HEADERS,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      connection: 'close',
    };
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const line = { request_id: requestId, trace_id: traceId, method: 'unknown', route: 'unknown', status, ms: 0 };
    lines.logOfStranger(socket.remoteAddress ?? '')?.(line satisfies AccessLine);
    if (socket.writable) socket.write(`HTTP/1.1 ${status} Bad Request\r\n${head.join('')}\r\n${text}`);
    socket.destroySoon();
  };
