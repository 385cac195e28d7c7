import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { newCredential } from '@svc/testing/agents/new-credential.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { type StartedPlanes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { freePort } from '@svc/testing/processes/free-port.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

const program = ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0);
const skip = program === undefined && 'there is neither redis-server nor valkey-server on the PATH';

const CALLER_PER_MINUTE = 150;
const ORGANIZATION_PER_MINUTE = 220;
const SIGN_INS_PER_MINUTE = 30;
const reason = 'an emergency';
/** A stop waits at most for the half second in which Redis may respond to a sign-in. */
const ANSWERED_WITHIN_MS = 15_000;

const folder = mkdtempSync(path.join(tmpdir(), 'svc-emergency-redis-'));
let redis: ChildProcess;
let port: number;
let planes: StartedPlanes;

const startRedis = async (): Promise<void> => {
  redis = spawn(program ?? '', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder], { stdio: 'ignore' });
  await sleep(500);
};
const killRedis = async (): Promise<void> => {
  const gone = new Promise((resolve) => redis.once('exit', resolve));
  redis.kill('SIGKILL');
  await gone;
};

before(async () => {
  if (skip) return;
  port = await freePort();
  await startRedis();
  planes = await startPlanes({
    env: {
      REDIS_URL: `redis://127.0.0.1:${port}`,
      SVC_RATE_CONTROL_PLANE_PER_MINUTE: String(CALLER_PER_MINUTE),
      SVC_RATE_ORGANIZATION_PER_MINUTE: String(ORGANIZATION_PER_MINUTE),
      SVC_RATE_LOGIN_PER_MINUTE: String(SIGN_INS_PER_MINUTE),
    },
  });
});
after(async () => {
  await planes?.stop();
  redis?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const request = (token: string | undefined, method: string, route: string, body?: object): Promise<TestResponse> =>
  call(planes.controlUrl, method, route, { ...(token ? { token } : {}), ...(body ? { body } : {}) });

/** Creates what an emergency may have to stop, while everything works. */
const newScene = async () => {
  const governed = await newGoverned(planes);
  const { tenant } = governed;
  await request(tenant.token, 'POST', '/v1/auth/step-up', { password: tenant.password });
  const { credentialId } = await newCredential(tenant);
  const body = { name: 'Reader', role_id: getBuiltInRole('admin').id };
  const { token: keyToken, api_key: key } = await newControlClient(planes.controlUrl, tenant.token).createApiKey({ body });
  return { governed, credentialId, keyToken, keyId: key.id };
};
type Scene = Awaited<ReturnType<typeof newScene>>;

/** Signs in, re-authenticates and stops everything, like an on-call person. */
const stopEverything = async ({ governed, credentialId, keyId }: Scene): Promise<string> => {
  const { tenant, agent } = governed;
  const { email, password } = tenant;
  const took: string[] = [];
  const mustAnswer = async (method: string, route: string, body?: object, token?: string): Promise<TestResponse> => {
    const startedAt = performance.now();
    const answer = await request(token, method, route, body);
    const tookMs = performance.now() - startedAt;
    took.push(`${route.split('/').at(-1)} ${Math.round(tookMs)} ms`);
    assert.ok(answer.status >= 200 && answer.status < 300, `${method} ${route}: ${answer.status} ${answer.text}`);
    assert.ok(tookMs < ANSWERED_WITHIN_MS, `${route}: ${Math.round(tookMs)} ms`);
    return answer;
  };
  const { token } = (await mustAnswer('POST', '/v1/auth/login', { email, password })).json;
  await mustAnswer('POST', '/v1/auth/step-up', { password }, token);
  const stop = (method: string, route: string, body?: object) => mustAnswer(method, route, body, token);
  await stop('POST', `/v1/agents/${agent.id}/pause`, { reason });
  await stop('POST', `/v1/agents/${agent.id}/suspend`, { reason });
  await stop('POST', `/v1/agents/${agent.id}/isolate`, { reason });
  await stop('POST', `/v1/agents/${agent.id}/revoke`, { reason });
  await stop('POST', `/v1/tools/${governed.tool.id}/disable`, { reason });
  await stop('POST', `/v1/credentials/${credentialId}/revoke`, { reason });
  await stop('DELETE', `/v1/api-keys/${keyId}`);
  await stop('POST', `/v1/policies/${governed.policyId}/suspend`, { reason });
  await stop('POST', `/v1/environments/${tenant.environment_id}/pause`, { reason });
  await stop('DELETE', '/v1/auth/sessions');
  await stop('POST', '/v1/auth/logout', {});
  return took.join(', ');
};

const assertGuessesBounded = async (): Promise<void> => {
  const body = { email: 'nobody@example.com', password: 'a wrong password' };
  const guesses = Array.from({ length: SIGN_INS_PER_MINUTE }, () => request(undefined, 'POST', '/v1/auth/login', body));
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  assert.ok(statuses.includes(429), statuses.join());
};

describe('the emergency stop', { skip }, () => {
  test('works when the budgets of the caller and of the organization are used up, and has its own', async (t) => {
    const scene = await newScene();
    const { tenant, agent } = scene.governed;
    const usedUp = async (token: string): Promise<string> => {
      for (let asked = 0; asked <= ORGANIZATION_PER_MINUTE; asked += 1) {
        const answer = await request(token, 'GET', '/v1/agents');
        if (answer.status === 429) return answer.json.error.message;
      }
      assert.fail('no budget was used up');
    };
    assert.match(await usedUp(tenant.token), /You have made too many requests/);
    assert.match(await usedUp(scene.keyToken), /organization has made too many requests/);
    t.diagnostic(await stopEverything(scene));
    const session = await request(undefined, 'POST', '/v1/auth/login', { email: tenant.email, password: tenant.password });
    let bounded: TestResponse | undefined;
    for (let asked = 0; asked <= CALLER_PER_MINUTE && bounded === undefined; asked += 1) {
      const answer = await request(session.json.token, 'POST', `/v1/agents/${agent.id}/pause`, { reason });
      if (answer.status === 429) bounded = answer;
    }
    assert.match(bounded?.json.error.message, /You have used the emergency stop too often/);
  });

  for (const [how, { begin, end, assertBounded }] of Object.entries({
    killed: { begin: killRedis, end: startRedis, assertBounded: undefined },
    frozen: {
      begin: async () => void redis.kill('SIGSTOP'),
      end: async () => void redis.kill('SIGCONT'),
      assertBounded: assertGuessesBounded,
    },
  }))
    test(`works while Redis is ${how}, with the sign-in and the step-up before it`, async (t) => {
      await waitUntil('Redis is used', async () => (await fetch(`${planes.controlUrl}/health/ready`)).status === 200);
      const scene: Scene = await newScene();
      const { tenant } = scene.governed as Governed;
      await begin();
      try {
        const counted = await request(tenant.token, 'GET', '/v1/agents');
        assert.deepEqual([counted.status, counted.json.error.details.part], [503, 'redis']);
        t.diagnostic(await stopEverything(scene));
        await assertBounded?.();
      } finally {
        await end();
      }
    });
});
