import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { type FairScheduler, newFairTurns } from '@svc/fairness/quantum/fair-turns.ts';
import Fastify from 'fastify';
import type { ServeDeps } from '../calls/serve-deps.ts';
import { bind } from './bind.ts';
import { addDrain } from './drain.ts';

const answerOnce = async (deps: Partial<ServeDeps>) => {
  const app = Fastify();
  app.decorateRequest('admitted', null);
  addDrain(app);
  let handled = 0;
  const handler = () => {
    handled += 1;
    return {};
  };
  bind(app, 'act', ENDPOINTS.act, handler, { ...deps, turns: newFairTurns() } as ServeDeps & { turns: FairScheduler }, {});
  const { method, path } = ENDPOINTS.act;
  const answer = await app.inject({ method, url: path, headers: { authorization: 'Bearer a' }, payload: {} });
  await app.close();
  return { status: answer.statusCode, handled };
};

test('an error during admission, synchronous or not, is returned as an error, and ends the request', async () => {
  const broken = new Error('broken');
  const clock = () => new Date(0);
  const thrown = {
    clock: () => {
      throw broken;
    },
  };
  assert.deepEqual(await answerOnce(thrown), { status: 500, handled: 0 });
  assert.deepEqual(await answerOnce({ clock, authenticateAgent: () => Promise.reject(broken) }), { status: 500, handled: 0 });
  const agent = { agentId: 'agt_1', organizationId: 'org_1', environmentId: 'env_1' } as never;
  const rateLimiter = { take: () => Promise.reject(broken), close: async () => undefined };
  const rates = { gatewayActionsPerMinute: 1 } as never;
  assert.deepEqual(await answerOnce({ clock, rates, rateLimiter, authenticateAgent: () => agent }), { status: 500, handled: 0 });
});
