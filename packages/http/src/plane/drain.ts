import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { type Drain, newDrain } from '@svc/program/stop/new-drain.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendRefusal } from '../answers/reply.ts';

declare module 'fastify' {
  interface FastifyInstance {
    drain: Drain;
  }
}

const STOPPING = buildRefusal('DEPENDENCY_UNAVAILABLE', 'This process is shutting down, and the request was not started. Try again.');

const LIVE = new Set<string | undefined>([ENDPOINTS.gatewayLive.path, ENDPOINTS.controlLive.path]);

/** Refuses requests while the process drains, and closes their connections. Liveness is still answered. */
const refuseWhileDraining = (app: FastifyInstance) => (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
  if (!app.drain.isDraining() || LIVE.has(request.routeOptions.url)) return done();
  reply.header('connection', 'close');
  sendRefusal(reply, STOPPING);
};

/** Add it after the hook that stamps every response, and before any other check of a request. */
export const addDrain = (app: FastifyInstance): void => {
  app.decorate('drain', newDrain());
  app.addHook('onRequest', refuseWhileDraining(app));
};
