import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newMemoryRateLimiter } from '@svc/shared-state/memory-rate-limiter.ts';
import { pino } from 'pino';
import type { ServeDeps } from '../calls/serve-deps.ts';
import { serve } from '../plane/serve.ts';

const BUDGET = 10;
const AGENT = { agentId: 'agt_1', organizationId: 'org_1', environmentId: 'env_1' };

type Plane = { readonly url: string; readonly verified: () => number };

const startPlane = async (trustProxy: boolean): Promise<Plane> => {
  let verified = 0;
  const deps = {
    log: pino({ level: 'silent' }),
    clock: () => new Date(),
    rateLimiter: newMemoryRateLimiter(),
    rates: { addressPerMinute: BUDGET, gatewayActionsPerMinute: 1_000, organizationActionsPerMinute: 1_000 },
    connections: { totalMax: 100, perAddressMax: 100 },
    trustProxy,
    authenticateAgent: (token: string) => {
      verified += 1;
      return token === 'good' ? AGENT : refusal('UNAUTHENTICATED');
    },
  } as unknown as ServeDeps;
  const app = serve('gateway', new Proxy({}, { get: () => () => ({}) }) as never, deps, {});
  await app.listen({ port: 0, host: '127.0.0.1' });
  after(() => app.close());
  return { url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`, verified: () => verified };
};

const newCaller = ({ url }: Plane) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  after(() => agent.destroy());
  return (token: string, from = '192.0.2.1', path = '/gateway/v1/actions'): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': from, 'content-type': 'application/json' };
      const sent = request(`${url}${path}`, { agent, method: 'POST', headers }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
      });
      sent.on('error', reject);
      sent.end('{}');
    });
};

const repeat = async (times: number, ask: () => Promise<number>): Promise<number[]> => {
  const statuses: number[] = [];
  for (let n = 0; n < times; n += 1) statuses.push(await ask());
  return statuses;
};

test('who was recognised once on a connection has no more credentials verified that are none than any stranger', async () => {
  const plane = await startPlane(false);
  const ask = newCaller(plane);
  assert.notEqual(await ask('good'), 401);
  const statuses = await repeat(BUDGET + 5, () => ask('bad'));
  assert.equal(statuses.at(-1), 429);
  assert.ok(plane.verified() <= BUDGET + 2, `${plane.verified()} credentials were verified`);
});

test('behind a proxy an address has no more credentials verified that are none than its budget, and others are not held up by it', async () => {
  const plane = await startPlane(true);
  const ask = newCaller(plane);
  const statuses = await repeat(BUDGET + 5, () => ask('bad', '198.51.100.7'));
  assert.equal(statuses.at(-1), 429);
  assert.ok(plane.verified() <= BUDGET + 2, `${plane.verified()} credentials were verified`);
  assert.equal(await ask('bad', '198.51.100.8'), 401);
  assert.notEqual(await ask('good', '192.0.2.1'), 429);
});

test('behind a proxy a header that looks like a credential opens no budget of its own', async () => {
  const plane = await startPlane(true);
  const ask = newCaller(plane);
  const statuses = await repeat(BUDGET + 5, () => ask('bad', '198.51.100.9', '/gateway/v1/no-such-row'));
  assert.equal(statuses.at(-1), 429);
});

test('whoever is recognised each time is not counted as a stranger', async () => {
  const plane = await startPlane(true);
  const ask = newCaller(plane);
  assert.ok((await repeat(3 * BUDGET, () => ask('good'))).every((status) => status !== 429 && status !== 401));
});

test('who asks on beyond its budget is told so after a pause, and who is within it at once', async () => {
  const plane = await startPlane(true);
  const ask = newCaller(plane);
  await repeat(BUDGET + 1, () => ask('bad', '198.51.100.10'));
  const first = performance.now();
  const statuses = await repeat(3, () => ask('bad', '198.51.100.10'));
  assert.deepEqual(statuses, [429, 429, 429]);
  assert.ok(performance.now() - first >= 3 * LIMITS.admission.excessPauseMs - 3, 'refusals came without their pauses');
  const asked = performance.now();
  await ask('good', '198.51.100.11');
  assert.ok(performance.now() - asked < 3 * LIMITS.admission.excessPauseMs, 'somebody else was paused');
});
