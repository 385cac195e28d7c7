import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, test } from 'node:test';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newMemoryRateLimiter } from '@svc/shared-state/memory-rate-limiter.ts';
import type { FastifyRequest } from 'fastify';
import { pino } from 'pino';
import type { ServeDeps } from '../calls/serve-deps.ts';
import { newAccessLines } from '../plane/access-lines.ts';
import { serve } from '../plane/serve.ts';

const BUDGET = 10;
const AGENT = { agentId: 'agt_1', organizationId: 'org_1', environmentId: 'env_1' };

type Plane = { readonly url: string; readonly verified: () => number; readonly lines: () => readonly { msg?: string; route?: string }[] };

const startPlane = async (trustProxy: boolean, addressPerMinute = BUDGET): Promise<Plane> => {
  let verified = 0;
  const lines: string[] = [];
  const deps = {
    log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
    clock: () => new Date(),
    rateLimiter: newMemoryRateLimiter(),
    rates: { addressPerMinute, gatewayActionsPerMinute: 1_000, organizationActionsPerMinute: 1_000, organizationKibPerMinute: 1_000 },
    connections: { totalMax: 100, perAddressMax: 100 },
    trustProxy,
    authenticateAgent: (token: string) => {
      verified += 1;
      return token === 'good' ? AGENT : buildRefusal('UNAUTHENTICATED');
    },
  } as unknown as ServeDeps;
  const app = serve('gateway', new Proxy({}, { get: () => () => ({}) }) as never, deps, {});
  await app.listen({ port: 0, host: '127.0.0.1' });
  after(() => app.close());
  return {
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    verified: () => verified,
    lines: () => lines.map((line) => JSON.parse(line)),
  };
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

test('one authenticated request on a connection permits no more invalid credentials than an unauthenticated client has', async () => {
  const plane = await startPlane(false);
  const ask = newCaller(plane);
  assert.notEqual(await ask('good'), 401);
  const statuses = await repeat(BUDGET + 5, () => ask('bad'));
  assert.equal(statuses.at(-1), 429);
  assert.ok(plane.verified() <= BUDGET + 2, `${plane.verified()} credentials were verified`);
});

test('behind a proxy an address has only its budget of invalid credentials, without delaying others', async () => {
  const plane = await startPlane(true);
  const ask = newCaller(plane);
  const statuses = await repeat(BUDGET + 5, () => ask('bad', '198.51.100.7'));
  assert.equal(statuses.at(-1), 429);
  assert.ok(plane.verified() <= BUDGET + 2, `${plane.verified()} credentials were verified`);
  assert.equal(await ask('bad', '198.51.100.8'), 401);
  assert.notEqual(await ask('good', '192.0.2.1'), 429);
});

test('behind a proxy a header that resembles a credential opens no separate budget', async () => {
  const plane = await startPlane(true);
  const ask = newCaller(plane);
  const statuses = await repeat(BUDGET + 5, () => ask('bad', '198.51.100.9', '/gateway/v1/no-such-row'));
  assert.equal(statuses.at(-1), 429);
});

test('a caller who is authenticated each time is not counted as unauthenticated', async () => {
  const plane = await startPlane(true);
  const ask = newCaller(plane);
  assert.ok((await repeat(3 * BUDGET, () => ask('good'))).every((status) => status !== 429 && status !== 401));
});

test('a caller beyond its budget is refused after a pause, and one within it is answered at once', async () => {
  const plane = await startPlane(true);
  const ask = newCaller(plane);
  await repeat(BUDGET + 1, () => ask('bad', '198.51.100.10'));
  const first = performance.now();
  const statuses = await repeat(3, () => ask('bad', '198.51.100.10'));
  assert.deepEqual(statuses, [429, 429, 429]);
  assert.ok(performance.now() - first >= 3 * LIMITS.admission.excessPauseMs - 3, 'refusals came without their pauses');
  // The fastest of several, since a busy machine may be slower than any pause.
  const others: number[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    const asked = performance.now();
    await ask('good', '198.51.100.11');
    others.push(performance.now() - asked);
  }
  assert.ok(Math.min(...others) < LIMITS.admission.excessPauseMs, 'somebody else was paused');
});

/** Counts the statuses of so many requests without a credential, sent in sequence on one connection. */
const askPlainly = async (plane: Plane, path: string, times: number, more = ''): Promise<Readonly<Record<number, number>>> => {
  const socket = connect(Number(new URL(plane.url).port), '127.0.0.1').setEncoding('latin1');
  after(() => socket.destroy());
  const counts: Record<number, number> = {};
  for (let asked = 0; asked < times; asked += 1) {
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x${more}\r\n\r\n`);
    const [answer] = await once(socket, 'data');
    const status = Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1]);
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
};

test('so are requests with refused headers, above the limit', async () => {
  const plane = await startPlane(false);
  const getHeaders = (count: number): string => `\r\n${'a: b\r\n'.repeat(count)}`.slice(0, -2);
  assert.deepEqual(await askPlainly(plane, '/v1/nothing', BUDGET - 1, getHeaders(LIMITS.connections.headersMax)), { 400: BUDGET - 1 });
  assert.deepEqual(await askPlainly(plane, '/v1/nothing', 1, getHeaders(LIMITS.connections.headersMax - 1)), { 404: 1 });
  assert.deepEqual(await askPlainly(plane, '/v1/nothing', 1, getHeaders(500)), { 400: 1 });
  assert.deepEqual(await askPlainly(plane, '/v1/nothing', 1, getHeaders(LIMITS.connections.headersMax)), { 429: 1 });
});

test('an unreadable path counts against the budget of its address like any other', async () => {
  const plane = await startPlane(false);
  assert.deepEqual(await askPlainly(plane, '/%zz', BUDGET + 2), { 400: BUDGET, 429: 2 });
});

test('health checks have a budget of their own, and log no line if answered', async () => {
  const plane = await startPlane(false);
  const { atOnceMax } = LIMITS.health;
  assert.deepEqual(await askPlainly(plane, '/health/live', atOnceMax), { 200: atOnceMax });
  assert.deepEqual(plane.lines(), []);
  // The budget regains little meanwhile.
  const more = await askPlainly(plane, '/health/live', atOnceMax / 4);
  assert.ok((more[429] ?? 0) > 0, `${more[200]} more were answered at once`);
  assert.deepEqual(await askPlainly(plane, '/v1/nothing', 1), { 404: 1 });
});

test('an address has a limited number of lines about refusals, and the number of others is logged', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const lines: { left_out?: number }[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const { logOf } = newAccessLines(log);
  const { refusalLinesPerMinute } = LIMITS.log;
  const getRequest = (ip: string, more: object = {}) => ({ ip, recognised: null, routeOptions: { config: {} }, ...more }) as FastifyRequest;
  for (let asked = 0; asked < refusalLinesPerMinute + 7; asked += 1) logOf(getRequest('192.0.2.1'), 404)?.({ route: 'unknown' });
  assert.equal(lines.length, refusalLinesPerMinute);
  assert.ok(logOf(getRequest('192.0.2.2'), 404), 'another address');
  assert.ok(logOf(getRequest('192.0.2.1'), 200), 'what was answered');
  assert.ok(logOf(getRequest('192.0.2.1', { recognised: { agent: AGENT } }), 403), 'what was refused to somebody');
  t.mock.timers.tick(60_000);
  assert.equal(lines.at(-1)?.left_out, 7);
});

test('unknown routes and unreadable paths of an address are limited and then refused, with any credential; others are unaffected', async () => {
  const plane = await startPlane(true, LIMITS.rates.addressPerMinute);
  const ask = newCaller(plane);
  const { atOnceMax } = LIMITS.unrouted;
  const paths = ['/v1/nothing', '/gateway/%zz', '/gateway/v1/actions/%'];
  const callers = Array.from({ length: 10 }, () => newCaller(plane));
  const statuses: number[] = [];
  for (let n = 0; n < 1_000 && !statuses.includes(429); n += 1)
    statuses.push(...(await Promise.all(callers.map((each) => each('good', '198.51.100.20', paths[n % paths.length])))));
  assert.ok(statuses.includes(429));
  assert.ok(statuses.filter((status) => status !== 429).length >= atOnceMax, `${statuses.length} were answered`);
  assert.notEqual(await ask('good', '198.51.100.20'), 429, 'what there is');
  assert.equal(await ask('good', '198.51.100.21', '/v1/nothing'), 404);
});
