import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { toWire } from './error-to-wire.ts';
import { send } from './reply.ts';

type ServedPath = { readonly pattern: RegExp; readonly methods: Set<string> };

const NO_CONTENT = 204;
const METHOD_NOT_ALLOWED = 405;

/** Returns a pattern for a router path such as `/v1/agents/:agentId`. */
const buildPattern = (url: string): RegExp => new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`);

/** Returns the methods of a path, sorted; empty if there is no such path, or its own method did not match. */
const methodsAt = (served: ReadonlyMap<string, ServedPath>, rawUrl: string, asked: string): readonly string[] => {
  const path = rawUrl.split('?', 1)[0] ?? '';
  const found = new Set([...served.values()].flatMap(({ pattern, methods }) => (pattern.test(path) ? [...methods] : [])));
  return found.size === 0 || found.has(asked) ? [] : [...found, 'OPTIONS'].sort();
};

const refuseMethod = (reply: FastifyReply, method: string, allowed: readonly string[]): FastifyReply => {
  const { body } = toWire(buildRefusal('INVALID_REQUEST', `This path supports ${allowed.join(', ')}, not ${method}.`), reply.request.id);
  return send(reply, METHOD_NOT_ALLOWED, body);
};

type Plane = Endpoint['plane'];

type Answering = {
  /** A page for browsers, and JSON for programs. */
  readonly refuse: (reply: FastifyReply, refused: Refusal) => FastifyReply;
  /** True if the client requested too many unknown paths; the refusal is already sent. */
  readonly isTooOften: (request: FastifyRequest, reply: FastifyReply) => boolean;
};

const NOWHERE = buildRefusal('NOT_FOUND', 'There is no page or endpoint at this address. All endpoints are listed at /docs.');

const NO_DOCUMENT = buildRefusal('NOT_FOUND', 'There is no such page in the documentation.');

const OTHER = {
  control: { plane: 'gateway', here: 'the control plane', there: 'the gateway' },
  gateway: { plane: 'control', here: 'the gateway', there: 'the control plane' },
} as const;

/** Builds the refusal of a path that the other plane has; `otherUrl` is its address, if known. */
const newPathRefusal = (plane: Plane, otherUrl: string | undefined) => {
  const { plane: other, here, there } = OTHER[plane];
  const patterns = Object.values(ENDPOINTS as Readonly<Record<string, Endpoint>>)
    .filter((row) => row.plane === other)
    .map(({ path }) => buildPattern(path.replaceAll(/\{\w+\}/g, ':x')));
  const where = otherUrl === undefined ? '' : `, at ${otherUrl}`;
  return (rawUrl: string): Refusal =>
    patterns.some((pattern) => pattern.test(rawUrl.split('?', 1)[0] ?? ''))
      ? buildRefusal('NOT_FOUND', `This is ${here}; ${there} has this path${where}.`)
      : rawUrl.startsWith('/docs/')
        ? NO_DOCUMENT
        : NOWHERE;
};

/**
 * Answers requests without a route before a body is read: 404 for an unknown path, 405 with `Allow` if the path has other methods, and
 * OPTIONS with `Allow` only. Only `addConsoleAccess` lets pages of another origin read a response. Add it before the routes.
 */
export const addUnrouted = (app: FastifyInstance, plane: Plane, otherUrl: string | undefined, { refuse, isTooOften }: Answering): void => {
  const pathRefusal = newPathRefusal(plane, otherUrl);
  const served = new Map<string, ServedPath>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = served.get(url) ?? { pattern: buildPattern(url), methods: new Set() };
    served.set(url, known);
    for (const each of [method].flat()) known.methods.add(each);
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    if (isTooOften(request, reply)) return;
    const allowed = methodsAt(served, request.raw.url ?? '', request.method);
    if (allowed.length === 0) return void refuse(reply, pathRefusal(request.raw.url ?? ''));
    reply.header('allow', allowed.join(', '));
    if (request.method === 'OPTIONS') reply.code(NO_CONTENT).send();
    else refuseMethod(reply, request.method, allowed);
  });
};
