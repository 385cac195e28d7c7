import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { refusal } from '@svc/contract/refusal.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendRefusal } from './reply.ts';

/** What a process that is asked to stop still has to finish. */
export type Drain = {
  /** From now on nothing new is begun. */
  readonly begin: () => void;
  readonly isDraining: () => boolean;
  /** A handler has begun, and has ended. */
  readonly enter: () => void;
  readonly leave: () => void;
  /** Resolves when no handler runs; also those whose caller is gone count. */
  readonly idle: () => Promise<void>;
};

declare module 'fastify' {
  interface FastifyInstance {
    drain: Drain;
  }
}

const newDrain = (): Drain => {
  let draining = false;
  let running = 0;
  let waiting: (() => void)[] = [];
  return {
    begin: () => {
      draining = true;
    },
    isDraining: () => draining,
    enter: () => {
      running += 1;
    },
    leave: () => {
      running -= 1;
      if (running > 0) return;
      for (const resolve of waiting) resolve();
      waiting = [];
    },
    idle: () => (running === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
};

const STOPPING = refusal(
  'DEPENDENCY_UNAVAILABLE',
  'This process is being stopped, and nothing was begun; another one answers in a moment.',
);

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
