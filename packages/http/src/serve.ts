import type { Endpoint } from '@svc/contract/endpoint.ts';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/limits.ts';
import { refusal } from '@svc/contract/refusal.ts';
import { HEADERS } from '@svc/contract/wire-name.ts';
import Fastify, { type FastifyInstance } from 'fastify';
import { bind } from './bind.ts';
import type { Handlers } from './call.ts';
import { refusalOf } from './error-to-wire.ts';
import { Replayed } from './idempotent-change.ts';
import { newId } from './new-id.ts';
import { addOpenApi } from './openapi-page.ts';
import { send, sendRefusal } from './reply.ts';
import type { ServeDeps } from './serve-deps.ts';
import { traceIdOf } from './trace.ts';

declare module 'fastify' {
  interface FastifyRequest {
    traceId: string;
  }
}

const SECURITY_HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };

/** A body that was announced and left out is no body; whether a row needs one is its own question. */
const addJsonParser = (app: FastifyInstance): void => {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else void parse(request, body as string, done);
  });
};

const addEnvelope = (app: FastifyInstance, deps: ServeDeps): void => {
  app.decorateRequest('traceId', '');
  app.addHook('onRequest', (request, reply, done) => {
    request.traceId = traceIdOf(request.headers[HEADERS.traceParent]);
    reply.headers({ [HEADERS.requestId]: request.id, [HEADERS.traceId]: request.traceId, ...SECURITY_HEADERS });
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    deps.log.info({
      request_id: request.id,
      trace_id: request.traceId,
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 100) / 100,
    });
    done();
  });
};

const addErrors = (app: FastifyInstance, deps: ServeDeps): void => {
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof Replayed)
      return error.status === 0 ? sendRefusal(reply, error.body as never) : send(reply, error.status, error.body);
    const refused = refusalOf(error);
    if (refused.refused === 'INTERNAL_ERROR' || refused.refused.endsWith('UNAVAILABLE')) {
      deps.log.error({ request_id: request.id, trace_id: request.traceId, err: error }, refused.refused);
    }
    return sendRefusal(reply, refused);
  });
  app.setNotFoundHandler((_request, reply) => sendRefusal(reply, refusal('NOT_FOUND', 'There is no such endpoint.')));
};

/** One plane's server: every row of the plane with its handler, the documents, and one shape for every error. */
export const serve = <Plane extends Endpoint['plane'], Deps>(
  plane: Plane,
  handlers: Handlers<Plane, Deps>,
  deps: ServeDeps,
  handlerDeps: Deps,
): FastifyInstance => {
  const app = Fastify({
    logger: false,
    bodyLimit: LIMITS.bodies.requestBytesMax,
    genReqId: () => newId('request'),
    requestIdHeader: false,
    trustProxy: deps.trustProxy,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: 'idle',
    frameworkErrors: (error, _request, reply) => sendRefusal(reply as never, refusalOf(error)),
  });
  addJsonParser(app);
  addEnvelope(app, deps);
  addErrors(app, deps);
  addOpenApi(app, plane);
  for (const [operation, row] of Object.entries(ENDPOINTS) as [string, Endpoint][]) {
    if (row.plane !== plane) continue;
    bind(app, operation, row, handlers[operation as keyof typeof handlers] as never, deps, handlerDeps);
  }
  return app;
};
