import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { mintToken, newAgent } from '@svc/testing/agents/agent.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { startWithWrongClock, type WrongClockOptions } from '@svc/testing/planes/start-with-wrong-clock.ts';
import type { RunningProcess } from '@svc/testing/processes/start-process.ts';
import type pg from 'pg';

/** A request, its gateway, and the database's time before and after it. */
type Told = {
  readonly at: number;
  readonly status: number;
  readonly id: string;
  readonly beganMs: number;
  readonly endedMs: number;
};

/** A plane's estimate of the database's clock is off by at most the round trip, which is long on a busy machine. */
const ESTIMATE_MS = 1_000;
const MINUTE = 60;
const DAY = 86_400;
/** Permits a large difference, so that a wrong clock is no reason to refuse. */
const LENIENT = { SVC_CLOCK_SKEW_MAX_SECONDS: '604800' };

let planes: Planes;
let database: pg.Client;
const started: RunningProcess[] = [];
before(async () => {
  planes = await startPlanes();
  database = await planes.database.client();
});
after(async () => {
  await database.end();
  await Promise.all(started.map((each) => each.stop()));
  await planes.stop();
});

const start = async (...asked: WrongClockOptions[]) => {
  const running = await Promise.all(asked.map((options) => startWithWrongClock(planes, options)));
  started.push(...running);
  return running.map(({ url, child }) => ({ url, child }));
};

const assertClockRefused = (answer: TestResponse, aheadSeconds: number, what: string): void => {
  assert.equal(answer.status, 503, `${what}: ${answer.text}`);
  assert.equal(answer.json.error.code, 'DEPENDENCY_UNAVAILABLE', what);
  const { part, ahead_seconds, allowed_seconds } = answer.json.error.details;
  assert.deepEqual([part, allowed_seconds], ['clock', 5], what);
  assert.ok(Math.abs(ahead_seconds - aheadSeconds) < 2, `${what}: ${ahead_seconds} s`);
  assert.match(answer.json.error.message, /clock of this process is [\d.]+ s (ahead of|behind) the database's/, what);
  assert.ok(Number(answer.headers.get('retry-after')) >= 1, what);
};

const actAt = (url: string, { token, tool }: Governed, body: object = {}, key?: string): Promise<TestResponse> =>
  call(url, 'POST', '/gateway/v1/actions', {
    token,
    body: { tool: tool.name, ...body },
    ...(key ? { headers: { 'idempotency-key': key } } : {}),
  });

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Returns the time in an id, in milliseconds. */
const timeOfId = (id: string): number => [...id.slice(4, 14)].reduce((ms, digit) => ms * 32 + DIGITS.indexOf(digit), 0);

const databaseMs = async (): Promise<number> => (await database.query('select clock_timestamp() as now')).rows[0].now.getTime();

const readActions = async ({ agent }: Governed): Promise<number> =>
  (await database.query('select count(*)::int as n from actions where agent_id = $1', [agent.id])).rows[0].n;

describe('a clock with more than the permitted difference from the database', () => {
  test('a gateway reports it in health and decides nothing, while it still returns records and performs requested stops', async () => {
    const [ahead, behind] = await start(
      { plane: 'gateway', aheadSeconds: 2 * MINUTE },
      { plane: 'gateway', aheadSeconds: -25 * 60 * MINUTE },
    );
    const governed = await newGoverned(planes);
    const allowed = (await governed.act({})).json;
    for (const [gateway, seconds] of [
      [ahead, 2 * MINUTE],
      [behind, -25 * 60 * MINUTE],
    ] as const) {
      const url = gateway?.url ?? '';
      assertClockRefused(await call(url, 'GET', '/health/ready'), seconds, 'ready');
      assert.equal((await call(url, 'GET', '/health/live')).status, 200);
      assertClockRefused(await actAt(url, governed), seconds, 'act');
      assertClockRefused(await actAt(url, governed, { dry_run: true }), seconds, 'dry run');
      assertClockRefused(await call(url, 'POST', '/gateway/v1/token', { body: {} }), seconds, 'token');
      assert.equal((await call(url, 'GET', `/gateway/v1/actions/${allowed.action_id}`, { token: governed.token })).status, 200);
    }
    assert.equal(await readActions(governed), 1);
    const [url, token] = [ahead?.url ?? '', governed.token];
    const outcome = await call(url, 'POST', `/gateway/v1/actions/${allowed.action_id}/outcome`, { token, body: { status: 'COMPLETED' } });
    assert.equal(outcome.status, 200, outcome.text);
    assert.equal((await call(url, 'POST', '/gateway/v1/logout', { token, body: {} })).status, 200);
    assert.equal((await governed.act({})).json.error.code, 'AGENT_TOKEN_EXPIRED', 'ended everywhere');
  });

  test('a control plane changes nothing except emergency stops', async () => {
    const [wrong] = await start({ plane: 'control-plane', aheadSeconds: 25 * 60 * MINUTE });
    const url = wrong?.url ?? '';
    const { tenant, agent } = await newGoverned(planes);
    assertClockRefused(await call(url, 'GET', '/health/ready'), 25 * 60 * MINUTE, 'ready');
    const { email, password } = tenant;
    const { token } = (await call(url, 'POST', '/v1/auth/login', { body: { email, password } })).json;
    const ask = (method: string, path: string, body?: unknown) => call(url, method, path, { token, ...(body ? { body } : {}) });
    assert.equal((await ask('GET', '/v1/agents')).status, 200);
    assertClockRefused(await ask('POST', '/v1/workspaces', { name: 'Later' }), 25 * 60 * MINUTE, 'a change');
    assert.equal((await ask('POST', '/v1/auth/step-up', { password })).status, 200);
    const paused = await ask('POST', `/v1/agents/${agent.id}/pause`, { reason: 'test' });
    assert.equal(paused.status, 200, paused.text);
  });

  test('a gateway whose clock is set wrong while it runs decides nothing from then on', async () => {
    const [gateway] = await start({ plane: 'gateway', aheadSeconds: 2 * MINUTE, later: true });
    const governed = await newGoverned(planes);
    const url = gateway?.url ?? '';
    assert.equal((await call(url, 'GET', '/health/ready')).json.checks.clock, 'ok');
    assert.equal((await actAt(url, governed)).status, 200);
    gateway?.child.kill('SIGUSR2');
    for (let asked = 0; asked < 500 && (await call(url, 'GET', '/health/ready')).status === 200; asked += 1);
    assertClockRefused(await actAt(url, governed), 2 * MINUTE, 'act');
  });
});

describe('with a permitted difference everything uses the clock of the database', () => {
  const tests = [{ name: 'fast', given: { velocity: { calls_1m: 10 } }, then: { effect: 'BLOCK', rule: 'fast' } }];
  const rules = [
    { id: 'any', effect: 'ALLOW', reason: 'Any.' },
    { id: 'fast', effect: 'BLOCK', reason: 'Too fast.', when: { field: 'velocity.calls_1m', op: 'gte', value: 10 } },
  ];

  test('ten calls a minute are ten, over gateways two minutes ahead, two behind and a day ahead', async () => {
    const wrong = await start(
      ...[2 * MINUTE, -2 * MINUTE, 25 * 60 * MINUTE].map((aheadSeconds) => ({ plane: 'gateway' as const, aheadSeconds, env: LENIENT })),
    );
    const governed = await newGoverned(planes, { rules, tests });
    const urls = [planes.gatewayUrl, ...wrong.map(({ url }) => url)];
    const told: Told[] = [];
    for (let round = 0; round < 20; round += 1) {
      const [beganMs, at] = [await databaseMs(), round % urls.length];
      const { status, json } = await actAt(urls[at] ?? '', governed);
      told.push({ at, status, id: (json.error?.details.decision ?? json).action_id, beganMs, endedMs: await databaseMs() });
    }
    assert.deepEqual(
      told.map(({ status }) => status),
      [...Array(10).fill(200), ...Array(10).fill(403)],
    );
    const { rows } = await database.query('select id, created_at from actions where agent_id = $1', [governed.agent.id]);
    const createdMs = new Map(rows.map(({ id, created_at }) => [id, (created_at as Date).getTime()]));
    assert.equal(createdMs.size, told.length);
    for (const { id, beganMs, endedMs } of told)
      for (const ms of [createdMs.get(id) ?? 0, timeOfId(id)])
        assert.ok(ms >= beganMs - ESTIMATE_MS && ms <= endedMs + ESTIMATE_MS, `${ms} lies beside ${beganMs} to ${endedMs}`);
    // Between gateways times are as exact as their estimates; within one they are in the order of its actions.
    for (const [at, own] of Map.groupBy(told, (each) => each.at)) {
      const ids = own.map(({ id }) => id);
      assert.deepEqual(ids, ids.toSorted(), `identifiers of gateway ${at}`);
      const times = ids.map((id) => createdMs.get(id) ?? 0);
      assert.deepEqual(
        times,
        times.toSorted((one, other) => one - other),
        `times of gateway ${at}`,
      );
    }
  });

  test('tokens, keys and lockouts last the correct time at a control plane and a gateway a day ahead', async () => {
    const [control, gateway] = await start(
      { plane: 'control-plane', aheadSeconds: 25 * 60 * MINUTE, env: LENIENT },
      { plane: 'gateway', aheadSeconds: 25 * 60 * MINUTE, env: LENIENT },
    );
    const governed = await newGoverned(planes);
    const [controlUrl, gatewayUrl] = [control?.url ?? '', gateway?.url ?? ''];
    assert.equal((await call(controlUrl, 'GET', '/health/ready')).status, 200);
    const first = await actAt(planes.gatewayUrl, governed, {}, 'once');
    const again = await actAt(gatewayUrl, governed, {}, 'once');
    assert.equal(again.json.action_id, first.json.action_id);
    const agent = await newAgent(governed.tenant);
    const token = await mintToken(gatewayUrl, agent);
    assert.equal((await call(planes.gatewayUrl, 'POST', '/gateway/v1/logout', { token, body: {} })).status, 200, 'known at the others');

    const { email, password } = governed.tenant;
    const login = (url: string, secret: string) => call(url, 'POST', '/v1/auth/login', { body: { email, password: secret } });
    const wrong: TestResponse[] = [];
    while (wrong.at(-1)?.status !== 429) wrong.push(await login(planes.controlUrl, 'wrong'));
    assert.equal((await login(controlUrl, password)).status, 429, 'locked here too');
    const { rows } = await database.query('select max(locked_until) < now() + make_interval(secs => $1) as near from sign_in_failures', [
      DAY,
    ]);
    assert.deepEqual(rows, [{ near: true }]);
  });
});
