import type { Server } from 'node:http';
import type { Server as Listener } from 'node:net';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type FairScheduler, newFairTurns } from '@svc/fairness/quantum/fair-turns.ts';
import { findBrokenPart } from '@svc/operations/service/health/broken-part.ts';
import { REFUSED } from '@svc/postgres/change/idempotency.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import { newProcessRateLimiter } from '@svc/shared-state/new-rate-limiter.ts';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type AddressBudget, addAddressBudget, computeBurst, newAddressBudget } from '../admission/address-budget.ts';
import { addDpopChallenge } from '../admission/dpop-challenge.ts';
import { refuseUnread } from '../admission/refuse-unread.ts';
import { GONE } from '../admission/take-place.ts';
import { toRefusal } from '../answers/error-to-wire.ts';
import { send, sendRefusal } from '../answers/reply.ts';
import { addUnrouted } from '../answers/unrouted.ts';
import { addBodyParsers } from '../bodies/body-parsers.ts';
import { addConsoleAccess } from '../browser/console-access.ts';
import type { Handlers } from '../calls/call.ts';
import { Replayed } from '../calls/idempotent-change.ts';
import type { ServeDeps } from '../calls/serve-deps.ts';
import type { ConnectionBounds } from '../connections/bound-connections.ts';
import { newServer } from '../connections/new-server.ts';
import { page } from '../wires/page.ts';
import { newAccessLines } from './access-lines.ts';
import { type AnyHandler, bind } from './bind.ts';
import { addDrain } from './drain.ts';
import { addEnvelope, answerUnreadable, answerUnroutable, type Enveloped } from './envelope.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** One for each address it listens on. */
    servers: readonly Server[];
    /** Additional listeners. */
    listeners: Listener[];
  }
}

/** True if the client disconnected: during the body, or before the response began. */
const hasLeft = (error: unknown, { raw: asked }: FastifyRequest, { raw }: FastifyReply): boolean =>
  asked.errored === error || (raw.destroyed && (error as { readonly code?: unknown } | null)?.code === 'ERR_STREAM_PREMATURE_CLOSE');

const addErrors = (app: FastifyInstance, deps: ServerDeps): void => {
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof Replayed) {
      const { status, body } = error;
      return status === REFUSED && isRefusal(body) ? sendRefusal(reply, body) : send(reply, status, body);
    }
    const [type] = request.routeOptions.config.wire?.reads ?? [];
    const refused = hasLeft(error, request, reply) ? GONE : toRefusal(error, request.routeOptions.bodyLimit, type);
    // The rest of a refused body is read and discarded: closing at once could lose the response for a client that is still sending.
    reply.removeHeader('connection');
    if (refused.refused === 'INTERNAL_ERROR' || refused.refused.endsWith('UNAVAILABLE')) {
      const ids = { request_id: request.id, trace_id: request.traceId };
      deps.log.error({ ...ids, err: error, code: refused.refused, part: findBrokenPart(error) }, refused.refused);
    }
    return sendRefusal(reply, refused);
  });
};

/** Behind a proxy all clients share its address, so only the total is limited. */
const listBounds = ({ connections, trustProxy, rates }: ServerDeps): ConnectionBounds => ({
  totalMax: connections.totalMax,
  perAddressMax: trustProxy ? undefined : connections.perAddressMax,
  // Burst of the maximum number of connections: refused connections would return repeatedly, which costs more than accepting them.
  opened: computeBurst(rates, { atOnceMax: connections.perAddressMax, perSecondMax: LIMITS.connections.openedPerSecondMax }),
});

/** Refuses an address that requests too many unknown paths, before the alternatives are looked up. */
const newUnroutedGuard =
  ({ takeUnrouted }: AddressBudget, { watch }: Pick<ServeDeps, 'watch'>) =>
  (request: FastifyRequest, reply: FastifyReply): boolean => {
    const tooOften = takeUnrouted(request.ip);
    if (tooOften === undefined) return false;
    watch?.refused('address');
    refuseUnread(reply, tooOften);
    return true;
  };

const note = <Noted>(one: Noted, among: Noted[]): Noted => {
  among.push(one);
  return one;
};

/** Dependencies of a server before a row is bound to it. */
export type ServerDeps = Pick<
  ServeDeps,
  'log' | 'connections' | 'trustProxy' | 'rates' | 'watch' | 'browser' | 'otherUrl' | 'resourceOrigin' | 'isConsoleOrigin'
>;

type Unbound = { readonly app: FastifyInstance; readonly turns: FairScheduler };

/** Creates a server without rows: ids, budgets of addresses, bodies, draining, and one error format per wire. */
export const openServer = (plane: Endpoint['plane'], deps: ServerDeps, bounds: ConnectionBounds = listBounds(deps)): Unbound => {
  const servers: Server[] = [];
  const addressBudget = newAddressBudget(deps);
  const lines = newAccessLines(deps.log);
  const envelope: Enveloped = { lines, addressBudget, watch: deps.watch };
  const app = Fastify({
    logger: false,
    bodyLimit: LIMITS.bodies.unprovenBytesMax,
    genReqId: () => newId('request'),
    requestIdHeader: false,
    // Only the entry of the nearest proxy is trusted: the caller wrote everything before it.
    trustProxy: deps.trustProxy && ((_address, hop) => hop === 0),
    exposeHeadRoutes: true,
    routerOptions: { maxParamLength: 200 },
    forceCloseConnections: 'idle',
    // Requests during shutdown get the standard refusal.
    return503OnClosing: false,
    serverFactory: (handle) => note(newServer(handle, bounds), servers),
    frameworkErrors: answerUnroutable(envelope),
    clientErrorHandler: answerUnreadable(lines),
  });
  app.decorate('servers', servers);
  app.decorate('listeners', []);
  app.decorate('resourceOrigin', deps.resourceOrigin ?? (() => undefined));
  app.decorateRequest('admitted', null);
  app.decorateRequest('cookieSession', null);
  app.decorateRequest('place', null);
  app.decorateRequest('dpopError', null);
  app.decorateRequest('hasRested', false);
  const turns = newFairTurns();
  addBodyParsers(app, turns);
  addEnvelope(app, envelope);
  addDrain(app);
  addAddressBudget(app, addressBudget, deps);
  if (deps.isConsoleOrigin !== undefined) addConsoleAccess(app, plane, deps.isConsoleOrigin);
  addUnrouted(app, plane, deps.otherUrl, { refuse: page.refuse, isTooOften: newUnroutedGuard(addressBudget, deps) });
  addErrors(app, deps);
  return { app, turns };
};

/** Creates the server of one plane: every row with its handler. */
export const serve = <Plane extends Endpoint['plane'], Deps>(
  plane: Plane,
  handlers: Handlers<Plane, Deps>,
  deps: ServeDeps,
  handlerDeps: Deps,
): FastifyInstance => {
  const { app, turns } = openServer(plane, deps);
  if (deps.dpopNonce !== undefined) addDpopChallenge(app, deps.dpopNonce);
  const bound = { ...deps, turns, processRateLimiter: newProcessRateLimiter() };
  const byName: Readonly<Record<string, AnyHandler>> = handlers;
  for (const [operation, row] of Object.entries(ENDPOINTS) as [string, Endpoint][]) {
    if (row.plane !== plane) continue;
    const handler = byName[operation];
    if (handler === undefined) throw new Error(`the row ${operation} has no handler`);
    bind(app, operation, row, handler, bound, handlerDeps);
  }
  return app;
};
