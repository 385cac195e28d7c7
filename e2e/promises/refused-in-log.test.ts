import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { createScene } from '@svc/testing/scene/scene.ts';
import { waitUntil } from '@svc/testing/time/until.ts';

type Line = Readonly<Record<string, unknown>>;

const s = createScene({ start: { gateways: 1, env: { LOG_LEVEL: 'info' } } });

/** Returns the log line about a refused caller; undefined while it is not written. */
const getLine = ({ headers }: TestResponse): Line | undefined => {
  const id = headers.get('x-request-id') ?? '';
  const text = s.planes
    .logs()
    .split('\n')
    .find((each) => each.startsWith('{') && each.includes(id) && each.includes('"route"'));
  return text === undefined ? undefined : (JSON.parse(text) as Line);
};
const toldOf = async (answer: TestResponse): Promise<unknown[]> => {
  await waitUntil('its line', async () => getLine(answer) !== undefined);
  const { refused_with, organization_id, actor_id, source_ip, time } = getLine(answer) ?? {};
  assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'in UTC');
  return [refused_with, organization_id, actor_id, source_ip];
};

test('every refusal is in the log with the code, and the organization, caller and address if known', async () => {
  const { controlUrl, gatewayUrl } = s.planes;
  const { token, user, organization_id } = s.tenant;
  const wrong = await call(controlUrl, 'POST', '/v1/auth/login', { body: { email: s.tenant.email, password: 'a secret that is wrong' } });
  assert.deepEqual(await toldOf(wrong), ['INVALID_CREDENTIALS', undefined, undefined, '127.0.0.1']);
  const unproved = await call(controlUrl, 'DELETE', '/v1/organization', { token, body: { confirm_name: 'x', reason: 'y' } });
  assert.deepEqual(await toldOf(unproved), ['STEP_UP_REQUIRED', organization_id, user.id, '127.0.0.1']);
  const nowhere = await call(controlUrl, 'GET', '/v1/agents/agt_7ZZZZZZZZZZZZZZZZZZZZZZZZZ', { token });
  assert.deepEqual(await toldOf(nowhere), ['NOT_FOUND', organization_id, user.id, '127.0.0.1']);
  const agent = await newAgent(s.tenant);
  const stranger = await call(gatewayUrl, 'POST', '/gateway/v1/actions', { token: agent.id, body: {} });
  assert.deepEqual(await toldOf(stranger), ['UNAUTHENTICATED', undefined, undefined, '127.0.0.1']);
  const fine = await call(controlUrl, 'GET', '/v1/auth/session', { token });
  assert.deepEqual(await toldOf(fine), [undefined, undefined, undefined, undefined], 'what was answered says no more than before');
  for (const secret of [token, s.tenant.password, 'a secret that is wrong', s.tenant.email])
    assert.ok(!s.planes.logs().includes(secret), secret);
});
