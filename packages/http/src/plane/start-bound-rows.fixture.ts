import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import type { FairScheduler } from '@svc/fairness/quantum/fair-turns.ts';
import { newPlaceSemaphore } from '@svc/fairness/semaphore/place-semaphore.ts';
import Fastify, { type FastifyInstance } from 'fastify';
import type { ServeDeps } from '../calls/serve-deps.ts';
import { bind } from './bind.ts';
import { addDrain } from './drain.ts';

/** Organization of the agent that every credential authenticates. */
export const ORGANIZATION = 'org_1';

type Rows = Partial<Record<keyof typeof ENDPOINTS, (call: never) => unknown>>;

/** Binds rows to handlers and listens, without a plane, to test what is between a request and its handler. */
export const startBoundRows = async (rows: Rows, turns: FairScheduler, decidingMax: number): Promise<FastifyInstance> => {
  const app = Fastify();
  addDrain(app);
  for (const decoration of ['admitted', 'cookieSession', 'place', 'textOfNumbers']) app.decorateRequest(decoration, null);
  const deps = {
    turns,
    clock: () => new Date(),
    rates: {},
    rateLimiter: { take: () => ({ allowed: true, limit: 1, remaining: 1, resetSeconds: 1 }), close: async () => undefined },
    authenticateAgent: () => ({ agentId: 'agt_1', organizationId: ORGANIZATION, environmentId: 'env_1' }),
    places: newPlaceSemaphore({ decidingMax, callingMax: 10, waitingMax: 10, waitingPerOrganizationMax: 10, waitMs: 5_000 }),
    requestHashes: () => ({}),
  } as unknown as ServeDeps & { readonly turns: FairScheduler };
  for (const [name, handler] of Object.entries(rows)) bind(app, name, ENDPOINTS[name as keyof typeof ENDPOINTS], handler, deps, {});
  await app.listen({ host: '127.0.0.1', port: 0 });
  return app;
};
