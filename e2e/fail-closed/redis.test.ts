import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFreshDatabase, type FreshDatabase } from '@svc/testing/database/database.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { getPlaneEnvironment } from '@svc/testing/planes/start-planes.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';
import { type RunningProcess, startProcess } from '@svc/testing/processes/start-process.ts';

const program = ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0);
const skip = program === undefined && 'there is neither redis-server nor valkey-server on the PATH';

const folder = mkdtempSync(path.join(tmpdir(), 'svc-redis-test-'));
let database: FreshDatabase;
before(async () => {
  database = await createFreshDatabase();
});
after(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const startRedis = (port: number): ChildProcess =>
  spawn(program ?? '', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder], { stdio: 'ignore' });

const startBoth = (port: number): Promise<readonly RunningProcess[]> => {
  const environment = { ...getPlaneEnvironment(database), REDIS_URL: `redis://127.0.0.1:${port}`, SVC_GATEWAY_URL: 'http://127.0.0.1:1' };
  return Promise.all(['control-plane', 'gateway'].map((plane) => startProcess(`apps/${plane}/src/main.ts`, environment)));
};

const ready = (planes: readonly RunningProcess[]): Promise<readonly TestResponse[]> =>
  Promise.all(planes.map(({ url }) => call(url, 'GET', '/health/ready')));

const untilReadyIs = async (planes: readonly RunningProcess[], status: number): Promise<readonly TestResponse[]> => {
  for (const until = Date.now() + 60_000; ; await sleep(100)) {
    const answers = await ready(planes);
    if (answers.every((answer) => answer.status === status)) return answers;
    assert.ok(Date.now() < until, answers.map(({ text }) => text).join());
  }
};

const login = ({ url }: RunningProcess): Promise<TestResponse> =>
  call(url, 'POST', '/v1/auth/login', { body: { email: 'nobody@example.com', password: 'a wrong password' } });

const signUp = ({ url }: RunningProcess): Promise<TestResponse> => call(url, 'POST', '/v1/auth/signup', { body: {} });

const assertNamesRedis = (answers: readonly TestResponse[]): void => {
  for (const { status, json, headers } of answers) {
    assert.deepEqual([status, json.error.code], [503, 'DEPENDENCY_UNAVAILABLE']);
    assert.match(json.error.message, /Redis/);
    assert.ok(Number(headers.get('retry-after')) > 0);
  }
};

describe('Redis', { skip }, () => {
  test('that hangs makes both planes not ready and is named in every 503 it causes; they recover with it', async () => {
    const port = await freePort();
    const redis = startRedis(port);
    await sleep(300);
    const planes = await startBoth(port);
    const [control] = planes as [RunningProcess];
    try {
      for (const { json } of await untilReadyIs(planes, 200))
        assert.deepEqual(json, { status: 'ok', checks: { database: 'ok', redis: 'ok', clock: 'ok' } });
      assert.equal((await login(control)).status, 401);
      redis.kill('SIGSTOP');
      const answers = await untilReadyIs(planes, 503);
      assertNamesRedis([...answers, await signUp(control)]);
      assert.equal((await login(control)).status, 401, 'a sign-in is counted by the process meanwhile');
      for (const { json } of answers) assert.deepEqual(json.error.details.checks, { database: 'ok', redis: 'unavailable' });
      for (const { url } of planes) assert.equal((await call(url, 'GET', '/health/live')).status, 200);
      redis.kill('SIGCONT');
      await untilReadyIs(planes, 200);
      assert.equal((await login(control)).status, 401);
    } finally {
      redis.kill('SIGKILL');
      await Promise.all(planes.map(({ stop }) => stop()));
    }
  });

  test('that is unreachable at the start is reported in a sentence, and the planes stay up, not ready, refusing what would be counted', async () => {
    const port = await freePort();
    const planes = await startBoth(port);
    const [control] = planes as [RunningProcess];
    let redis: ChildProcess | undefined;
    try {
      for (const { announced } of planes) {
        const [warning = '', ...others] = announced.warnings as string[];
        assert.match(
          warning,
          /^Redis does not respond: check that it is running and that REDIS_URL is its address\. .* refused with 503\.$/,
        );
        assert.deepEqual(others, []);
      }
      assertNamesRedis([...(await ready(planes)), await signUp(control)]);
      redis = startRedis(port);
      await untilReadyIs(planes, 200);
    } finally {
      redis?.kill('SIGKILL');
      await Promise.all(planes.map(({ stop }) => stop()));
    }
  });
});
