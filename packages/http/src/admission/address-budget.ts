import { addressGroup } from '@svc/domain/people/address-group.ts';
import { newMemoryRateLimiter } from '@svc/shared-state/memory-rate-limiter.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { connectionOf } from '../connections/connection.ts';
import { rateLimited } from '../rate-limit.ts';
import { sendRefusal } from '../reply.ts';
import type { ServeDeps } from '../serve-deps.ts';

const MINUTE_MS = 60_000;

/** Asked by those who watch over the service, and told without any work. */
const HEALTH = '/health/';

/** Behind a proxy one connection carries many callers, and what one of them showed says nothing of the next. */
const isUnproven = (request: FastifyRequest, trustProxy: boolean): boolean => {
  if (request.headers.authorization === undefined) return true;
  return !trustProxy && connectionOf(request.raw.socket)?.isProven === false;
};

/**
 * What strangers may ask, by the address they come from, taken before anything is read, looked up or verified for them: requests without
 * a credential, and those whose credential is the first of its connection. Counted in this process, so that it waits for nothing.
 */
export const addAddressBudget = (app: FastifyInstance, { rates, trustProxy }: ServeDeps): void => {
  const limiter = newMemoryRateLimiter();
  app.addHook('onRequest', (request, reply, done) => {
    if (!isUnproven(request, trustProxy) || request.raw.url?.startsWith(HEALTH)) return done();
    const budget = limiter.take({ key: addressGroup(request.ip), limit: rates.addressPerMinute }, MINUTE_MS);
    if (budget.allowed) done();
    else sendRefusal(reply, rateLimited(budget));
  });
};
