import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, test } from 'node:test';
import { refusal } from '@svc/contract/rows/refusal.ts';
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
      return token === 'good' ? AGENT : refusal('UNAUTHENTICATED');
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

test('so are requests whose headers are refused before anything is asked of them, as too many are', async () => {
  const plane = await startPlane(false);
  const headersOf = (count: number): string => `\r\n${'a: b\r\n'.repeat(count)}`.slice(0, -2);
  assert.deepEqual(await askPlainly(plane, '/v1/nothing', BUDGET - 1, headersOf(LIMITS.connections.headersMax)), { 400: BUDGET - 1 });
  assert.deepEqual(await askPlainly(plane, '/v1/nothing', 1, headersOf(LIMITS.connections.headersMax - 1)), { 404: 1 });
  assert.deepEqual(await askPlainly(plane, '/v1/nothing', 1, headersOf(500)), { 400: 1 });
  assert.deepEqual(await askPlainly(plane, '/v1/nothing', 1, headersOf(LIMITS.connections.headersMax)), { 429: 1 });
});

test('a path that cannot be read is taken from the budget of its address like any other', async () => {
  const plane = await startPlane(false);
  assert.deepEqual(await askPlainly(plane, '/%zz', BUDGET + 2), { 400: BUDGET, 429: 2 });
});

test('questions for health have a budget of their own, and leave no line where they are answered', async () => {
  const plane = await startPlane(false);
  const { atOnceMax } = LIMITS.health;
  assert.deepEqual(await askPlainly(plane, '/health/live', atOnceMax), { 200: atOnceMax });
  assert.deepEqual(plane.lines(), []);
  // The budget regains little meanwhile.
  const more = await askPlainly(plane, '/health/live', atOnceMax / 4);
  assert.ok((more[429] ?? 0) > 0, `${more[200]} more were answered at once`);
  assert.deepEqual(await askPlainly(plane, '/v1/nothing', 1), { 404: 1 });
});

test('an address leaves only so many lines about what was refused of it, and how many more there were is told', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const lines: { left_out?: number }[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const { logOf } = newAccessLines(log);
  const { refusalLinesPerMinute } = LIMITS.log;
  const requestOf = (ip: string, more: object = {}) => ({ ip, recognised: null, routeOptions: { config: {} }, ...more }) as FastifyRequest;
  for (let asked = 0; asked < refusalLinesPerMinute + 7; asked += 1) logOf(requestOf('192.0.2.1'), 404)?.({ route: 'unknown' });
  assert.equal(lines.length, refusalLinesPerMinute);
  assert.ok(logOf(requestOf('192.0.2.2'), 404), 'another address');
  assert.ok(logOf(requestOf('192.0.2.1'), 200), 'what was answered');
  assert.ok(logOf(requestOf('192.0.2.1', { recognised: { agent: AGENT } }), 403), 'what was refused to somebody');
  t.mock.timers.tick(60_000);
  assert.equal(lines.at(-1)?.left_out, 7);
});

test('what no route takes, and what cannot be read as a path, is answered to an address so often at once and then refused, whatever it shows; others go on', async () => {
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
