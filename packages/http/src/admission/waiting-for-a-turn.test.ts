import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import Fastify, { type FastifyInstance } from 'fastify';
import { bind } from '../bind.ts';
import { addDrain } from '../drain.ts';
import type { ServeDeps } from '../serve-deps.ts';
import { newFairSemaphore } from './fair-semaphore.ts';
import { newFairTurns } from './fair-turns.ts';

const ORGANIZATION = 'org_1';
const DEAR_MS = 10;
const DEAR_COUNT = 60;

const turns = newFairTurns();
const handled: string[] = [];
let app: FastifyInstance;
let url: string;

const burn = async (): Promise<void> => {
  const until = performance.now() + DEAR_MS;
  while (performance.now() < until);
};

before(async () => {
  app = Fastify();
  addDrain(app);
  app.decorateRequest('admitted', null);
  app.decorateRequest('place', null);
  app.decorateRequest('textOfNumbers', null);
  const deps = {
    turns,
    clock: () => new Date(),
    rates: {},
    rateLimiter: { take: () => ({ allowed: true, limit: 1, remaining: 1, resetSeconds: 1 }), close: async () => undefined },
    authenticateAgent: () => ({ agentId: 'agt_1', organizationId: ORGANIZATION, environmentId: 'env_1' }),
    places: newFairSemaphore({ decidingMax: 10, callingMax: 10, waitingMax: 10, waitingPerOrganizationMax: 10, waitMs: 5_000 }),
    requestHashes: () => ({}),
  };
  for (const name of ['act', 'gatewayReady'] as const) {
    const handler = () => {
      handled.push(name);
      return {};
    };
    bind(app, name, ENDPOINTS[name], handler, deps as unknown as ServeDeps & { turns: typeof turns }, {});
  }
  await app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
after(() => app.close());

test('whoever goes away while it waits for its turn is not begun, and health waits for no turn', async () => {
  const dear = [...Array(DEAR_COUNT)].map(() => turns.run(ORGANIZATION, burn));
  let strangersDone = 0;
  const strangers = [...Array(DEAR_COUNT)].map(() => turns.run('', burn).then(() => (strangersDone += 1)));
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  const body = JSON.stringify({ tool: 'gone' });
  socket.write(`POST ${ENDPOINTS.act.path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\nContent-Type: application/json\r\n`);
  socket.write(`Content-Length: ${body.length}\r\n\r\n${body}`);
  assert.equal((await fetch(`${url}${ENDPOINTS.gatewayReady.path}`)).status, 200);
  assert.ok(strangersDone < DEAR_COUNT / 2, `health waited for ${strangersDone} of what others had asked`);
  await sleep(50);
  socket.destroy();
  await Promise.all([...dear, ...strangers]);
  await sleep(50);
  assert.deepEqual(handled, ['gatewayReady']);
});
