import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { HEADERS } from '@svc/contract/tables/wire-name.ts';
import type { FastifyInstance } from 'fastify';

/** Seconds for which a browser caches the preflight response. */
const PREFLIGHT_SECONDS = 600;

const REQUEST_HEADERS = ['authorization', 'content-type', HEADERS.idempotencyKey].join(', ');
const ANSWER_HEADERS = [HEADERS.requestId, HEADERS.retryAfter].join(', ');

/** Returns the methods of the rows that the console's origin may call, by path. */
const methodsByPath = (plane: Endpoint['plane']): ReadonlyMap<string, string> =>
  new Map(
    Object.values(ENDPOINTS as Readonly<Record<string, Endpoint>>)
      .filter((row) => row.plane === plane && row.fromConsole === true)
      .map(({ path, method }) => [path, method]),
  );

/**
 * Lets pages of the console's own origin read the responses of the rows marked `fromConsole` (CORS). Cookies are never accepted across
 * origins: these rows take the token of an agent. Answers OPTIONS through `addUnrouted`; add it before.
 */
export const addConsoleAccess = (app: FastifyInstance, plane: Endpoint['plane'], isConsoleOrigin: (origin: string) => boolean): void => {
  const methods = methodsByPath(plane);
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    const method = methods.get(request.raw.url?.split('?', 1)[0] ?? '');
    if (method === undefined) return done();
    reply.header('vary', 'origin');
    if (origin === undefined || !isConsoleOrigin(origin)) return done();
    reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', ANSWER_HEADERS);
    if (request.method === 'OPTIONS')
      reply.headers({
        'access-control-allow-methods': method,
        'access-control-allow-headers': REQUEST_HEADERS,
        'access-control-max-age': PREFLIGHT_SECONDS,
      });
    return done();
  });
};
