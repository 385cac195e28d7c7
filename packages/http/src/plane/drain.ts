import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { refusal } from '@svc/contract/rows/refusal.ts';
import { type Drain, newDrain } from '@svc/program/stop/new-drain.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendRefusal } from '../answers/reply.ts';

declare module 'fastify' {
  interface FastifyInstance {
    drain: Drain;
  }
}

const STOPPING = refusal('DEPENDENCY_UNAVAILABLE', 'This process is shutting down, and the request was not started. Try again.');

const LIVE = new Set<string | undefined>([ENDPOINTS.gatewayLive.path, ENDPOINTS.controlLive.path]);

/** Refuses what comes while the process drains, and lets go of its connection. That it is alive is still said. */
const refuseWhileDraining = (app: FastifyInstance) => (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
  if (!app.drain.isDraining() || LIVE.has(request.routeOptions.url)) return done();
  reply.header('connection', 'close');
  sendRefusal(reply, STOPPING);
};

/** To be added after what stamps every answer, and before anything else is asked of a request. */
export const addDrain = (app: FastifyInstance): void => {
  app.decorate('drain', newDrain());
  app.addHook('onRequest', refuseWhileDraining(app));
};
