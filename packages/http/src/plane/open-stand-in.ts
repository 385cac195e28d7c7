import type { AddressInfo } from 'node:net';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { isUncounted } from '@svc/contract/rows/budget.ts';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { ROUTE_METHODS } from '@svc/contract/tools/tool-routes.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuseUnread } from '../admission/refuse-unread.ts';
import { send, sendRefusal } from '../answers/reply.ts';
import { WIRES } from '../wires/wires.ts';
import type { StandIn } from './new-startup.ts';
import { getListen } from './run-plane.ts';
import { openServer, type ServerDeps } from './serve.ts';

const WAITING = 'This process is waiting for its database, and the request was not started. Try again.';
const NOT_READY = buildRefusal('DEPENDENCY_UNAVAILABLE', 'The database does not respond.', { checks: { database: 'unavailable' } });
const REFUSED = buildRefusal('DEPENDENCY_UNAVAILABLE', WAITING, { retry_after_seconds: 1 });

const LIVE = { control: ENDPOINTS.controlLive.path, gateway: ENDPOINTS.gatewayLive.path };
const READY = { control: ENDPOINTS.controlReady.path, gateway: ENDPOINTS.gatewayReady.path };

/** Liveness succeeds, readiness names what is missing, and everything else is refused unread. */
const answerFor = (plane: Endpoint['plane'], { path }: Endpoint) => {
  if (path === LIVE[plane]) return undefined;
  return path === READY[plane] ? NOT_READY : REFUSED;
};

/** Opens a server that refuses every path of a plane with 503, in the format of its wire, until the plane itself can start. */
export const openPlaceholderServer = async (plane: Endpoint['plane'], deps: ServerDeps, host: string, port: number): Promise<StandIn> => {
  const { app } = openServer(plane, deps);
  for (const [operation, row] of Object.entries(ENDPOINTS) as [string, Endpoint][]) {
    if (row.plane !== plane) continue;
    const refused = answerFor(plane, row);
    for (const path of [row.path, ...(row.assets ?? []), ...(row.takesSubPaths === true ? [`${row.path}/*`] : [])])
      app.route({
        method: path.endsWith('/*') ? [...ROUTE_METHODS] : row.method,
        url: path.replace(/\{(\w+)\}/g, ':$1'),
        config: { isUncounted: isUncounted(row.budget), operation, wire: WIRES[row.wire] },
        onRequest: (_request: FastifyRequest, reply: FastifyReply, done: () => void) => {
          // The next request of a client must reach the plane itself.
          reply.header('connection', 'close');
          if (refused === undefined) done();
          else if (refused === NOT_READY) sendRefusal(reply, refused);
          else refuseUnread(reply, refused);
        },
        handler: async (_request, reply) => send(reply, 200, { status: 'ok', checks: { process: 'ok' } }),
      });
  }
  await getListen(app, host, port);
  const { port: bound } = app.server.address() as AddressInfo;
  return { port: bound, close: () => app.close().then(() => undefined) };
};
